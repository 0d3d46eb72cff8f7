package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Backup writes a whole copy of a database into a new file, for its owner alone to read. Gateways that use the database go on
// meanwhile.
func Backup(ctx context.Context, file, to string) (err error) {
	if _, err := os.Stat(file); err != nil { // opening would make one
		return err
	}
	made, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("%w; name a file that does not exist", err)
	}
	defer func() {
		if err = errors.Join(err, made.Close()); err != nil {
			os.Remove(to)
		}
	}()
	db, err := open(file, "")
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, to); err != nil {
		return err
	}
	// A gateway that still runs when the copy is put into its place has another mark: see identify.
	if _, err := made.WriteAt(make([]byte, 4), markAt); err != nil {
		return err
	}
	return made.Sync()
}
