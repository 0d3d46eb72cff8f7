package schema

import (
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"time"
)

// standard is the schema of types whose written form is known although a marshaler writes it.
func standard(t reflect.Type) (*object, bool) {
	o := new(object)
	switch t {
	case reflect.TypeFor[time.Time]():
		o.setString("type", "string")
		o.setString("format", "date-time")
	case reflect.TypeFor[time.Duration]():
		o.setString("type", "integer")
		o.setString("description", "Nanoseconds.")
	case reflect.TypeFor[big.Int]():
		o.setString("type", "integer")
	case reflect.TypeFor[netip.Addr](), reflect.TypeFor[net.IP]():
		// An address with a zone or the zero address is neither: it is a mismatch rather than a vague string.
		o.set("anyOf", []byte(`[{"format":"ipv4","type":"string"},{"format":"ipv6","type":"string"}]`))
	default:
		if t.PkgPath() != "github.com/google/uuid" || t.Name() != "UUID" {
			return nil, false
		}
		o.setString("type", "string")
		o.setString("format", "uuid")
	}
	return o, true
}
