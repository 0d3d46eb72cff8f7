package data

// The rules for charts. Chart.js throws on some configurations, leaves an empty canvas on others, and on some fails only
// under the mouse; what is listed here draws. The options are a closed subset: a name that is not listed is refused, with the
// reason where there is a known one.

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// chart checks one configuration.
func (c *checker) chart(v value) {
	if !c.is(v, "an object", "a Chart.js configuration {type, data}") {
		return
	}
	d := drawing{checker: c, labels: -1}
	d.survey(v)
	c.object(v, func(key string, v value) string {
		switch key {
		case "type":
			c.oneOf(v, "line", "bar", "pie", "doughnut", "scatter", "bubble", "radar", "polarArea")
		case "data":
			if c.is(v, "an object", "an object {labels, datasets}") {
				d.data(v)
			}
		case "options":
			if c.is(v, "an object", "an object") {
				d.options(v)
			}
		case "alt":
			c.text(v, maxAlt)
		case "plugins":
			return "plugins are code; the view brings its own"
		default:
			return "no part of a chart; leave it out"
		}
		return ""
	}, "type", "data")
}

// A drawing is one chart under check.
type drawing struct {
	*checker
	kind     string
	labels   int  // how many; -1: none are given
	texts    bool // some label is text
	sideways bool // indexAxis y: the labels are on the y axis
}

// survey reads what decides about the rest, wherever in the configuration it is.
func (d *drawing) survey(chart value) {
	for key, v := range chart.members() {
		switch {
		case key == "type" && v.isText():
			d.kind = v.text()
		case (key == "data" || key == "options") && v[0] == '{':
			for key, v := range v.members() {
				switch {
				case key == "labels" && v[0] == '[':
					d.labels = 0
					for _, label := range v.elements() {
						d.labels++
						d.texts = d.texts || label.isText()
					}
				case key == "indexAxis" && v.isText():
					d.sideways = v.text() == "y"
				}
			}
		}
	}
}

// round reports whether the chart is drawn in slices.
func (d drawing) round() bool {
	return slices.Contains([]string{"pie", "doughnut", "polarArea"}, d.kind)
}

// pointed reports whether the chart's data are points of its own and not one figure for each label.
func (d drawing) pointed() bool { return d.kind == "scatter" || d.kind == "bubble" }

func (d drawing) data(v value) {
	required := []string{"labels", "datasets"}
	if d.pointed() {
		required = required[1:]
	}
	points := 0
	d.object(v, func(key string, v value) string {
		switch key {
		case "labels":
			limit := maxPoints
			if d.round() {
				limit = maxSlices
			}
			d.list(v, limit, "a list of labels", d.label)
		case "datasets":
			limit := maxDatasets
			if d.round() {
				limit = maxSliceSets
			}
			n := d.list(v, limit, "a list of datasets", func(v value) {
				if d.is(v, "an object", "an object {label, data}") {
					points += d.dataset(v)
				}
			})
			if n == 0 {
				d.fault("empty; give at least one dataset")
			}
			if points > maxChartPoints {
				d.fault(strconv.Itoa(points) + " points, want at most " + strconv.Itoa(maxChartPoints) + " in a chart")
			}
		default:
			return "no part of a chart's data; leave it out"
		}
		return ""
	}, required...)
}

func (d drawing) label(v value) {
	switch {
	case v.isText():
		d.text(v, maxLabel)
	case v.isNumber():
		d.digits(v, maxLabelDigits)
	default:
		d.fault("got " + v.kind() + ", want text or a number")
	}
}

// dataset checks one dataset and returns the number of its points.
func (d drawing) dataset(v value) int {
	points := 0
	d.object(v, func(key string, v value) string {
		switch key {
		case "data":
			limit := maxPoints
			if d.round() {
				limit = maxSlices
			}
			if points = d.list(v, limit, "a list", d.point); points >= 0 && d.labels >= 0 && points != d.labels {
				d.fault("got " + strconv.Itoa(points) + " entries, want " + strconv.Itoa(d.labels) + " as in labels")
			}
			points = max(points, 0)
		case "label":
			d.text(v, maxSeries)
		case "backgroundColor", "borderColor":
			d.colours(v)
		case "type":
			if d.oneOf(v, "bar", "line") != "" && d.kind != "bar" && d.kind != "line" {
				return "only the datasets of a bar or line chart have a type of their own"
			}
		case "yAxisID":
			d.oneOf(v, "y", "y1")
		case "stack":
			d.text(v, maxStack)
		case "fill", "hidden":
			d.boolean(v)
		case "tension":
			d.number(v, 0, 1)
		case "order":
			if d.number(v, -100, 100) && !rational(v).IsInt() {
				d.fault("not a whole number")
			}
		default:
			return refusal(key)
		}
		return ""
	}, "data")
	return points
}

// point checks one entry of a dataset's data.
func (d drawing) point(v value) {
	switch {
	case d.round():
		d.number(v, 0, maxFigure)
	case d.pointed():
		want := []string{"x", "y"}
		if d.kind == "bubble" {
			want = append(want, "r")
		}
		if !d.is(v, "an object", "a point {"+strings.Join(want, ", ")+"}") {
			return
		}
		d.object(v, func(key string, v value) string {
			switch {
			case !slices.Contains(want, key):
				return "no part of a point; leave it out"
			case key == "r":
				d.number(v, 0, 100)
			default:
				d.number(v, -maxFigure, maxFigure)
			}
			return ""
		}, want...)
	case !v.isNull(): // a gap
		d.number(v, -maxFigure, maxFigure)
	}
}

func (d drawing) options(v value) {
	d.object(v, func(key string, v value) string {
		switch key {
		case "indexAxis":
			if axis := d.oneOf(v, "x", "y"); axis == "y" && d.kind != "bar" && d.kind != "line" {
				return "only a bar or line chart can be turned on its side"
			}
		case "plugins":
			if d.is(v, "an object", "an object {title, subtitle, legend}") {
				d.object(v, d.plugin)
			}
		case "scales":
			if d.is(v, "an object", "an object of axes") {
				d.object(v, d.scale)
			}
		default:
			return refusal(key)
		}
		return ""
	})
}

func (d drawing) plugin(key string, v value) string {
	switch key {
	case "title", "subtitle":
		d.title(v)
	case "legend":
		if d.is(v, "an object", "an object") {
			d.object(v, func(key string, v value) string {
				switch key {
				case "display":
					d.boolean(v)
				case "position":
					d.oneOf(v, "top", "bottom", "left", "right")
				default:
					return refusal(key)
				}
				return ""
			})
		}
	default:
		return refusal(key)
	}
	return ""
}

func (d drawing) title(v value) {
	if d.is(v, "an object", "an object {display, text}") {
		d.object(v, func(key string, v value) string {
			switch key {
			case "display":
				d.boolean(v)
			case "text":
				d.text(v, maxChartTitle)
			default:
				return refusal(key)
			}
			return ""
		})
	}
}

// scale checks one axis. An axis that the chart does not have would be drawn over it, or throw.
func (d drawing) scale(key string, v value) string {
	switch key {
	case "x", "y", "y1":
		if d.round() || d.kind == "radar" {
			return "a " + d.kind + " chart has no such axis"
		}
	case "r":
		if d.kind != "radar" && d.kind != "polarArea" {
			return "only radar and polarArea charts have this axis"
		}
	default:
		return "no axis of a chart, want x, y, y1 or r"
	}
	if d.is(v, "an object", "an object") {
		var low, high value
		d.object(v, func(option string, v value) string {
			switch option {
			case "type":
				return d.scaleType(key, v)
			case "beginAtZero", "stacked", "reverse", "display":
				d.boolean(v)
			case "min":
				if d.number(v, -maxFigure, maxFigure) {
					low = v
				}
			case "max":
				if d.number(v, -maxFigure, maxFigure) {
					high = v
				}
			case "position":
				d.oneOf(v, "left", "right", "top", "bottom")
			case "title":
				d.title(v)
			default:
				return refusal(option)
			}
			return ""
		})
		if low != nil && high != nil && rational(low).Cmp(rational(high)) >= 0 {
			d.fault("min is not below max")
		}
	}
	return ""
}

func (d drawing) scaleType(axis string, v value) string {
	const want = "linear, logarithmic or category"
	if !d.is(v, "text", want) {
		return ""
	}
	labelled := !d.pointed() && (axis == "x") != d.sideways
	switch v.text() {
	case "time", "timeseries":
		return timeless
	case "category":
		if !labelled {
			return "figures are on this axis; want linear or logarithmic"
		}
	case "linear", "logarithmic":
		if axis == "r" {
			return "a round axis has no other type; leave it out"
		}
		if labelled && d.texts {
			return "labels that are text are on this axis, and would not be drawn; want category"
		}
	default:
		return "unknown, want " + want
	}
	return ""
}

const timeless = "time scales need a date adapter and throw without one; use category with written dates as labels"

// refusal says why an option is refused. The reasons were seen in Chart.js 4.6.
func refusal(name string) string {
	reason := "no option that a chart may carry; leave it out"
	switch name {
	case "parsing", "normalized":
		reason = "it changes how figures are read; give them as numbers"
	case "locale":
		reason = "an unknown locale throws; the view writes numbers for its reader"
	case "devicePixelRatio", "aspectRatio", "maintainAspectRatio", "responsive", "resizeDelay":
		reason = "the view sets the size; a wrong one leaves the canvas blank"
	case "font":
		reason = "the view chooses the font; a wrong one throws"
	case "animation", "animations", "transitions":
		reason = "the view decides what moves"
	case "events", "interaction", "hover", "tooltip":
		reason = "the view decides what answers to the pointer; a wrong one throws on hover"
	case "time", "adapters":
		reason = timeless
	case "plugins":
		reason = "plugins are code; the view brings its own"
	case "color":
		reason = "the view chooses it, for light and for dark"
	default:
		if strings.HasPrefix(name, "on") || strings.HasSuffix(strings.ToLower(name), "callback") || name == "callbacks" ||
			name == "callback" || name == "generateLabels" || name == "filter" || name == "sort" || name == "labelPointStyle" {
			reason = "a function cannot be sent; as text it throws on hover"
		}
	}
	return "refused: " + reason
}

// rational reads a number exactly. Its digits were bounded before.
func rational(v value) *big.Rat {
	r, _ := new(big.Rat).SetString(string(v))
	return r
}
