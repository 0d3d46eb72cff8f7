package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/audit"
)

// SARIF writes a report in the Static Analysis Results Interchange Format 2.1.0 (OASIS). A tool of a server has no line in
// a file, so findings have logical locations; artifact, a path or "", is the file that represents the server.
func SARIF(out io.Writer, r *audit.Report, version, artifact string) error {
	var findings []audit.Finding
	for _, t := range r.Tools {
		findings = append(findings, t.Findings...)
	}
	return writeSARIF(out, audit.Rules(), findings, version, artifact)
}

func writeSARIF(out io.Writer, rules []audit.Rule, findings []audit.Finding, version, artifact string) error {
	driver := sarifDriver{Name: "diptych", Version: version, Rules: []sarifRule{}}
	index := make(map[string]int)
	for i, rule := range rules {
		index[rule.ID] = i
		driver.Rules = append(driver.Rules, sarifRule{
			ID: rule.ID, Short: sarifText{rule.Summary}, Help: sarifText{rule.Remedy}, Default: sarifLevel{string(rule.Severity)},
		})
	}
	results := []sarifResult{}
	for _, f := range findings {
		at := sarifLocation{Logical: []sarifLogical{{Name: f.Tool, Full: f.Tool + "/" + f.Place, Kind: "function"}}}
		if artifact != "" {
			at.Physical = &sarifPhysical{sarifArtifact{(&url.URL{Path: artifact}).String()}}
		}
		sum := sha256.Sum256([]byte(f.Rule + "\x00" + f.Tool + "\x00" + f.Place))
		results = append(results, sarifResult{
			Rule: f.Rule, Index: index[f.Rule], Level: string(f.Severity),
			Message:   sarifText{f.Tool + ": " + message(f)},
			Locations: []sarifLocation{at}, Prints: map[string]string{"finding/v1": hex.EncodeToString(sum[:16])},
		})
	}
	return write(out, sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0",
		Runs: []sarifRun{{Tool: sarifTool{driver}, Results: results}},
	})
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string     `json:"id"`
	Short   sarifText  `json:"shortDescription"`
	Help    sarifText  `json:"help"`
	Default sarifLevel `json:"defaultConfiguration"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule      string            `json:"ruleId"`
	Index     int               `json:"ruleIndex"`
	Level     string            `json:"level"`
	Message   sarifText         `json:"message"`
	Locations []sarifLocation   `json:"locations"`
	Prints    map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifLogical struct {
	Name string `json:"name"`
	Full string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}
