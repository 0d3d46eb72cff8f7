package main

import (
	"fmt"
	"strings"
)

// The values that the tools answer with. Field names and lengths are those of ordinary tables and reports.

type reading struct {
	Temperature float64 `json:"temperature"`
	Condition   string  `json:"condition"`
	Humidity    int     `json:"humidity"`
}

type taggedReading struct {
	Temperature float64 `json:"temperature" minimum:"-90" maximum:"60"`
	Condition   string  `json:"condition" minLength:"1" maxLength:"40"`
	Humidity    int     `json:"humidity" minimum:"0" maximum:"100"`
}

// A query is what the tool that takes arguments is asked.
type query struct {
	City  string `json:"city"`
	Days  int    `json:"days" minimum:"1"`
	Units string `json:"units" enum:"metric,imperial"`
}

const question = `{"city":"São Paulo","days":3,"units":"metric"}`

// outlook answers a query so that each argument leaves its mark in the answer.
func outlook(q query) reading {
	r := reading{Temperature: 21.5, Condition: q.City, Humidity: 20 * q.Days}
	if q.Units == "imperial" {
		r.Temperature = 70.7
	}
	return r
}

type row struct {
	ID      int     `json:"id"`
	Name    string  `json:"name"`
	Country string  `json:"country"`
	Kind    string  `json:"kind"`
	Price   float64 `json:"price"`
	Count   int     `json:"count"`
	Active  bool    `json:"active"`
	Note    string  `json:"note"`
}

type taggedRow struct {
	ID      int     `json:"id" minimum:"1"`
	Name    string  `json:"name" minLength:"1" maxLength:"80"`
	Country string  `json:"country" enum:"PT,DE,FR"`
	Kind    string  `json:"kind" enum:"river,coast,mountain"`
	Price   float64 `json:"price" minimum:"0" maximum:"100000"`
	Count   int     `json:"count" minimum:"0" maximum:"1000000"`
	Active  bool    `json:"active" enum:"true,false"`
	Note    string  `json:"note" minLength:"1" maxLength:"200"`
}

func rows(n int) []row {
	list := make([]row, n)
	for i := range list {
		list[i] = row{
			ID: i + 1, Name: fmt.Sprintf("Station number %d", i), Country: []string{"PT", "DE", "FR"}[i%3],
			Kind: []string{"river", "coast", "mountain"}[i%3], Price: float64(i*37%100_000) / 100, Count: i * 7 % 10_007,
			Active: i%2 == 0, Note: "measured twice a day, at dawn and at dusk",
		}
	}
	return list
}

func taggedRows(n int) []taggedRow {
	list := make([]taggedRow, n)
	for i, r := range rows(n) {
		list[i] = taggedRow(r)
	}
	return list
}

type document struct {
	Title   string             `json:"title"`
	Body    string             `json:"body"`
	Tags    []string           `json:"tags"`
	Weights map[string]float64 `json:"weights"`
}

// report is a document of one megabyte, most of it prose.
func report() document {
	d := document{Title: "A long report", Body: strings.Repeat("The river rose by four metres, “quickly”, they said.\n", 16_000), Weights: map[string]float64{}}
	for i := range 3000 {
		d.Tags = append(d.Tags, fmt.Sprintf("tag %d", i))
		d.Weights[fmt.Sprintf("key%04d", i)] = float64(i) / 8
	}
	return d
}

// A wrapped value is an object, where a peer publishes nothing else. It has the bytes that this library sends.
type wrapped[T any] struct {
	Result T `json:"result"`
}
