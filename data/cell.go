package data

// Types of cells that Go has no type for: a day, and a number whose digits count.

import (
	"database/sql/driver"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// A Date is a day, a month or a year, written as 2006-01-02, 2006-01 or 2006. The zero Date is a missing value.
type Date struct {
	Year  int
	Month time.Month // 0: a year
	Day   int        // 0: a month
}

// DateOf returns the day of t, in the place of t.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

func (d Date) String() string {
	switch {
	case d == Date{}:
		return ""
	case d.Month == 0:
		return fmt.Sprintf("%04d", d.Year)
	case d.Day == 0:
		return fmt.Sprintf("%04d-%02d", d.Year, d.Month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// MarshalJSON writes the date as text, and the zero Date as null. One that no calendar has is an error.
func (d Date) MarshalJSON() ([]byte, error) {
	if (d == Date{}) {
		return []byte("null"), nil
	}
	month, day := max(d.Month, 1), max(d.Day, 1)
	real := DateOf(time.Date(d.Year, month, day, 0, 0, 0, 0, time.UTC)) == Date{d.Year, month, day}
	if !real || d.Year < 0 || d.Year > 9999 || d.Month == 0 && d.Day != 0 {
		return nil, errors.New("a date that no calendar has; give year, month and day of one")
	}
	return json.Marshal(d.String())
}

// A Decimal is a number written in digits, such as "28.980". It is sent as a JSON number with these digits; an empty one is a
// missing value.
type Decimal string

// MarshalJSON writes the digits. What is not a JSON number is an error.
func (d Decimal) MarshalJSON() ([]byte, error) {
	switch {
	case d == "":
		return []byte("null"), nil
	case !isNumber(string(d)):
		return nil, errors.New("a decimal that is no JSON number; write digits with a point, without grouping")
	}
	return []byte(d), nil
}

// held returns the value in a driver.Valuer that would otherwise be written as an object: sql.NullFloat64, sql.Null[T].
func held(v any) any {
	for range maxHeld {
		valuer, ok := v.(driver.Valuer)
		if !ok || marshals(v) {
			return v
		}
		if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
			return nil
		}
		inner, err := valuer.Value()
		if err != nil {
			return v
		}
		v = inner
	}
	return v
}

func marshals(v any) bool {
	switch v.(type) {
	case json.Marshaler, encoding.TextMarshaler:
		return true
	}
	return false
}

// instant returns the time in a cell, if it is one that has a value.
func instant(v any) (time.Time, bool) {
	switch v := v.(type) {
	case time.Time:
		return v, true
	case *time.Time:
		if v != nil {
			return *v, true
		}
	}
	return time.Time{}, false
}

// isDay reports whether t is a day rather than a moment.
func isDay(t time.Time) bool {
	hour, minute, second := t.Clock()
	return hour+minute+second+t.Nanosecond() == 0
}
