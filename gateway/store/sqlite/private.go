package sqlite

// Who may read the database: its owner alone. It has everything that users asked and were answered.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// private makes the file where there is none, and takes it from everybody else where there is one, with what SQLite has put
// beside it. What SQLite puts there later is as the file is.
func private(file string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; run the gateway as the owner of it, or use another folder", err)
	}
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return err
	}
	for _, beside := range []string{"", "-wal", "-shm", "-journal"} {
		if err := own(file + beside); err != nil {
			return err
		}
	}
	return nil
}

// own takes a file from everybody but its owner.
func own(file string) error {
	about, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case about.Mode().Perm()&0o077 == 0:
		return nil
	}
	if err := os.Chmod(file, about.Mode().Perm()&0o700); err != nil {
		return fmt.Errorf("others may use %s (mode %#o) and this user may not forbid it: %w; run \"chmod 600 %[1]s\" as its owner, or use another folder",
			file, about.Mode().Perm(), err)
	}
	return nil
}
