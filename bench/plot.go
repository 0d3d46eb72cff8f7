package main

import (
	"bytes"
	"fmt"
	"math"
	"time"
)

// plot draws the cost of a row against the number of rows: level is linear.
func plot(points []point) []byte {
	const left, right, top, bottom = 70.0, 620.0, 50.0, 300.0
	var highest time.Duration
	for _, p := range points {
		highest = max(highest, p.marshal, p.ours)
	}
	step := 250 * time.Nanosecond
	for highest > 6*step {
		step *= 2
	}
	limit := step * ((highest + step - 1) / step)
	x := func(rows int) float64 {
		first, last := math.Log10(float64(points[0].rows)), math.Log10(float64(points[len(points)-1].rows))
		return left + (right-left)*(math.Log10(float64(rows))-first)/(last-first)
	}
	y := func(d time.Duration) float64 { return bottom - (bottom-top)*float64(d)/float64(limit) }

	var w bytes.Buffer
	fmt.Fprintf(&w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 350" font-family="sans-serif" font-size="13" role="img">
<title>CPU time for each row, from %d to %d rows</title>
<rect width="760" height="350" fill="#fff"/>
<text x="%g" y="28" font-size="15" fill="#222">CPU time for each row of 8 fields, by the number of rows</text>
`, points[0].rows, points[len(points)-1].rows, left)
	for d := time.Duration(0); d <= limit; d += step {
		fmt.Fprintf(&w, `<path d="M%g %.1fH%g" stroke="#ddd"/><text x="%g" y="%.1f" text-anchor="end" fill="#555">%d ns</text>`+"\n", left, y(d), right, left-8, y(d)+4, d)
	}
	for _, p := range points {
		fmt.Fprintf(&w, `<text x="%.1f" y="%g" text-anchor="middle" fill="#555">%s</text>`+"\n", x(p.rows), bottom+22, thousands(p.rows))
	}
	fmt.Fprintf(&w, `<text x="%g" y="%g" text-anchor="middle" fill="#555">rows</text>`+"\n", (left+right)/2, bottom+42)
	for _, line := range []struct {
		name, colour, dash string
		cost               func(point) time.Duration
	}{
		{"check and both panels", "#0b6e4f", "", func(p point) time.Duration { return p.ours }},
		{"json.Marshal", "#8a4f9e", ` stroke-dasharray="6 4"`, func(p point) time.Duration { return p.marshal }},
	} {
		fmt.Fprintf(&w, `<polyline fill="none" stroke="%s" stroke-width="2.5"%s points="`, line.colour, line.dash)
		for _, p := range points {
			fmt.Fprintf(&w, "%.1f,%.1f ", x(p.rows), y(line.cost(p)))
		}
		last := points[len(points)-1]
		fmt.Fprintf(&w, `"/>`+"\n"+`<text x="%g" y="%.1f" fill="%s">%s</text>`+"\n", right+8, y(line.cost(last))+4, line.colour, line.name)
	}
	w.WriteString("</svg>\n")
	return w.Bytes()
}

// thousands writes n with a comma between its thousands.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
