package encode

import (
	"encoding"
	"encoding/json"
	"reflect"
	"time"
)

var timeTime = reflect.TypeFor[time.Time]()

// receiver is what a marshaler's method is called on: the address where there is one, which serves both kinds of
// receivers and spares a copy.
func receiver(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v.Addr()
	}
	return v
}

func writeMarshalJSON(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	if !v.CanInterface() {
		return dst, broken(ruleUnexported, nil)
	}
	m, _ := reflect.TypeAssert[json.Marshaler](receiver(v))
	b, err := m.MarshalJSON()
	if err != nil {
		return dst, broken(ruleFailedJSON, err)
	}
	dst, ok := appendCompact(dst, b)
	if !ok {
		return dst, broken(ruleWroteBad, nil)
	}
	return dst, nil
}

func writeMarshalText(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	if !v.CanInterface() {
		return dst, broken(ruleUnexported, nil)
	}
	m, _ := reflect.TypeAssert[encoding.TextMarshaler](receiver(v))
	b, err := m.MarshalText()
	if err != nil {
		return dst, broken(ruleFailedText, err)
	}
	return AppendString(dst, b), nil
}

// writeTime writes what the MarshalJSON of time.Time writes, and fails where it fails.
func writeTime(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	if !v.CanInterface() {
		return dst, broken(ruleUnexported, nil)
	}
	t, _ := reflect.TypeAssert[time.Time](v)
	dst, ok := AppendTime(dst, t)
	if !ok {
		_, err := t.MarshalJSON()
		return dst, broken(ruleFailedJSON, err)
	}
	return dst, nil
}

// AppendTime appends the JSON of t; ok is false where it has none.
func AppendTime(dst []byte, t time.Time) (_ []byte, ok bool) {
	start := len(dst) + 1
	dst = append(dst, '"')
	dst = t.AppendFormat(dst, time.RFC3339Nano)
	b := dst[start:]
	year4 := b[len("2006")] == '-'
	zone := b[len(b)-1] == 'Z' || hourBelow24(b[len(b)-len("-07:00"):])
	return append(dst, '"'), year4 && zone
}

// hourBelow24 judges the end of a time: an hour of three digits has pushed its sign out of sight.
func hourBelow24(zone []byte) bool {
	sign := zone[0] == '+' || zone[0] == '-'
	return sign && 10*(zone[1]-'0')+(zone[2]-'0') < 24
}
