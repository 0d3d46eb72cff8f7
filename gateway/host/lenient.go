package host

// What servers in other languages write where a member is absent. A pydantic model with defaults of None writes null, and many
// build addresses without encoding them.

import (
	"bytes"
	"encoding/json"
	"strings"
)

// withoutNulls is a data tool's document without members that are null, at its top and in its sources, and with addresses
// encoded. Every other byte is kept. What is no object stays as it is.
func withoutNulls(doc json.RawMessage) json.RawMessage {
	return members(doc, func(name string, value json.RawMessage) json.RawMessage {
		if name != "sources" {
			return value
		}
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil {
			return value
		}
		for i, source := range list {
			if address := encodedAddress(source); address != nil {
				list[i] = address
				continue
			}
			list[i] = members(source, func(name string, value json.RawMessage) json.RawMessage {
				if address := encodedAddress(value); name == "url" && address != nil {
					return address
				}
				return value
			})
		}
		return joined('[', ']', list)
	})
}

// members rewrites those of an object, in their order; null ones go.
func members(object json.RawMessage, change func(name string, value json.RawMessage) json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(object))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return object
	}
	var kept []json.RawMessage
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return object
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return object
		}
		if string(value) == "null" {
			continue
		}
		key, err := json.Marshal(name)
		if err != nil {
			return object
		}
		kept = append(kept, append(append(key, ':'), change(name.(string), value)...))
	}
	if _, err := d.Token(); err != nil {
		return object
	}
	return joined('{', '}', kept)
}

func joined(open, closing byte, parts []json.RawMessage) json.RawMessage {
	b := []byte{open}
	for i, part := range parts {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, part...)
	}
	return append(b, closing)
}

// unsafe are characters that a URL has no place for, and that people write into its path and query all the same.
var unsafe = strings.NewReplacer("|", "%7C", " ", "%20", "{", "%7B", "}", "%7D", "^", "%5E", "`", "%60")

// encodedAddress is a JSON string as an address with its unsafe characters encoded, after its host; nil for anything else.
func encodedAddress(value json.RawMessage) json.RawMessage {
	var address string
	if json.Unmarshal(value, &address) != nil {
		return nil
	}
	if start := strings.Index(address, "://"); start >= 0 {
		if end := strings.IndexAny(address[start+3:], "/?#"); end >= 0 {
			end += start + 3
			address = address[:end] + unsafe.Replace(address[end:])
		}
	}
	raw, err := json.Marshal(address)
	if err != nil {
		return nil
	}
	return raw
}
