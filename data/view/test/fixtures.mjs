// Answers that the tests and the screenshots share.

export const sources = [
  "https://example.org/cities-data",
  { url: "https://data.example.org/urban/2025?f=csv", title: "World urban agglomerations, 2025 revision", publisher: "Example Statistics Office", license: "CC0-1.0", retrieved_at: "2026-11-01", period: "1950–2025" },
];

export const cities = [["City", "Population"], ["Tokyo", "37400068"], ["Delhi", "30290936"], ["Shanghai", "27058479"]];

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** charts holds one chart of each kind, with the values Chart.js must have parsed. */
export const charts = {
  line: {
    spec: {
      type: "line",
      data: {
        labels: months,
        datasets: [
          { label: "Lisbon", data: [11.6, 12.7, 14.9, 15.9, 18, 21.2, 23.1, 23.5, 22.1, 18.8, 15, 12.4] },
          { label: "Oslo", data: [-2.9, -2.5, 1.1, 6, 12, 15.9, 18, 16.9, 12.3, 6.7, 1.6, null] },
        ],
      },
      options: { plugins: { title: { text: "Warm winters in Lisbon, cold ones in Oslo" }, subtitle: { text: "Mean temperature by month, degrees Celsius" } } },
    },
    parsed: [
      [11.6, 12.7, 14.9, 15.9, 18, 21.2, 23.1, 23.5, 22.1, 18.8, 15, 12.4].map((y, x) => ({ x, y })),
      [-2.9, -2.5, 1.1, 6, 12, 15.9, 18, 16.9, 12.3, 6.7, 1.6, null].map((y, x) => ({ x, y })),
    ],
  },
  bar: {
    spec: {
      type: "bar",
      data: { labels: ["Tokyo", "Delhi", "Shanghai"], datasets: [{ label: "Population", data: [37400068, 30290936, 27058479] }] },
      options: { indexAxis: "y", plugins: { title: { text: "Three cities above 27 million" } } },
    },
    parsed: [[37400068, 30290936, 27058479].map((x, y) => ({ x, y }))],
  },
  pie: {
    spec: { type: "pie", data: { labels: ["Hydro", "Wind", "Solar", "Gas"], datasets: [{ label: "Share", data: [44, 26.5, 9.25, 20.25] }] }, options: { plugins: { title: { text: "Where the power came from" } } } },
    parsed: [[44, 26.5, 9.25, 20.25]],
  },
  doughnut: {
    spec: { type: "doughnut", data: { labels: ["Yes", "No", "Unsure"], datasets: [{ data: [51, 39, 10] }] }, options: { plugins: { legend: { position: "right" } } } },
    parsed: [[51, 39, 10]],
  },
  scatter: {
    spec: { type: "scatter", data: { datasets: [{ label: "Homes", data: [{ x: 45, y: 210 }, { x: 80.5, y: 340.25 }, { x: 120, y: 505 }] }, { label: "Shops", data: [{ x: 30, y: 390 }, { x: 60, y: 610 }] }] }, options: { scales: { x: { title: { text: "Area, m²" } }, y: { title: { text: "Price, thousand €" } } } } },
    parsed: [[{ x: 45, y: 210 }, { x: 80.5, y: 340.25 }, { x: 120, y: 505 }], [{ x: 30, y: 390 }, { x: 60, y: 610 }]],
  },
  bubble: {
    spec: { type: "bubble", data: { datasets: [{ label: "Countries", data: [{ x: 1.5, y: 70, r: 12 }, { x: 3, y: 81.2, r: 4 }, { x: 2.2, y: 76, r: 20 }] }] } },
    parsed: [[{ x: 1.5, y: 70, _custom: 12 }, { x: 3, y: 81.2, _custom: 4 }, { x: 2.2, y: 76, _custom: 20 }]],
  },
  radar: {
    spec: { type: "radar", data: { labels: ["Cost", "Speed", "Range", "Comfort", "Safety"], datasets: [{ label: "Tram", data: [3, 4, 2, 5, 5], fill: true }, { label: "Bus", data: [4, 3, 4, 2, 4] }] }, options: { scales: { r: { beginAtZero: true } } } },
    parsed: [[3, 4, 2, 5, 5].map((r) => ({ r })), [4, 3, 4, 2, 4].map((r) => ({ r }))],
  },
  polarArea: {
    spec: { type: "polarArea", data: { labels: ["North", "East", "South", "West"], datasets: [{ label: "Wind days", data: [11, 16, 7, 3.5] }] } },
    parsed: [[{ r: 11 }, { r: 16 }, { r: 7 }, { r: 3.5 }]],
  },
};

/** answer is a whole answer, the kind a reader meets. */
export const answer = {
  sources,
  force: "Figures for 2025 are provisional.",
  charts: [charts.bar.spec],
  table: [
    ["City", "Country", "Population", "Growth, %", "Capital"],
    ["Tokyo", "Japan", "37400068", "-0.21", true],
    ["Delhi", "India", "30290936", "2.84", true],
    ["Shanghai", "China", "27058479", "1.10", false],
    ["São Paulo", "Brazil", "22043028", "0.90", false],
    ["Mexico City", "Mexico", "21782378", null, true],
    ["Dhaka", "Bangladesh", "21005860", "3.56", true],
  ],
};
