// Checks a proof of a registry's log by Go's own packages, without a line of the registry:
//
//	go run main.go PROOF KEY [ADDRESS]
//
// PROOF is a .tlog-proof file of an evidence bundle, KEY the verifier key of the log, ADDRESS the prefix of the log; with it the newest
// checkpoint is fetched, and the entry is proved to be in that tree still. Outside of a checkout: go mod init check, go get golang.org/x/mod.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	if len(os.Args) < 3 {
		fail("give a proof, a verifier key and perhaps the address of the log")
	}
	text, err := os.ReadFile(os.Args[1])
	check(err)
	verifier, err := note.NewVerifier(os.Args[2])
	check(err)

	// The proof (C2SP tlog-proof): salt and text of the entry, its number, the path to the root, and the checkpoint.
	head, checkpoint, _ := strings.Cut(string(text), "\n\n")
	lines := strings.Split(head, "\n")
	if lines[0] != "c2sp.org/tlog-proof@v1" || len(lines) < 3 {
		fail("this is no proof")
	}
	extra, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra "))
	check(err)
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	check(err)
	var path tlog.RecordProof
	for _, line := range lines[3:] {
		hash, err := tlog.ParseHash(line)
		check(err)
		path = append(path, hash)
	}
	if len(extra) < 32 {
		fail("this proof has no text")
	}
	entry := sha256.Sum256(append(append(append([]byte{}, extra[:32]...), "signed-registry/leaf/v1\n"...), extra[32:]...))
	leaf := tlog.RecordHash(entry[:])

	tree := open(checkpoint, verifier)
	check(tlog.CheckRecord(path, tree.N, tree.Hash, index, leaf))
	fmt.Printf("%s\nis entry %d in the tree of %d entries that %s signed\n", extra[32:], index, tree.N, verifier.Name())
	if len(os.Args) == 3 {
		return
	}

	served := log(strings.TrimSuffix(os.Args[3], "/"))
	newest := open(string(served.get("checkpoint")), verifier)
	hashes := tlog.TileHashReader(newest, served)
	grown, err := tlog.ProveTree(newest.N, tree.N, hashes)
	check(err)
	check(tlog.CheckTree(grown, newest.N, newest.Hash, tree.N, tree.Hash))
	still, err := tlog.ProveRecord(newest.N, index, hashes)
	check(err)
	check(tlog.CheckRecord(still, newest.N, newest.Hash, index, leaf))
	fmt.Printf("and it is in the newest tree, of %d entries, which has grown out of that one\n", newest.N)
}

// A checkpoint that the log signed: name, size and root.
func open(text string, verifier note.Verifier) tlog.Tree {
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 3 || lines[0] != verifier.Name() {
		fail("this is the checkpoint of another log")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: root}
}

// A log that is served as C2SP tlog-tiles says; Go's names of tiles begin with their height.
type log string

func (l log) Height() int                     { return 8 }
func (l log) SaveTiles([]tlog.Tile, [][]byte) {}
func (l log) ReadTiles(tiles []tlog.Tile) (all [][]byte, err error) {
	for _, tile := range tiles {
		all = append(all, l.get("tile/"+strings.TrimPrefix(tile.Path(), "tile/8/")))
	}
	return all, nil
}

func (l log) get(path string) []byte {
	answer, err := http.Get(string(l) + "/" + path)
	check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	check(err)
	if answer.StatusCode != 200 {
		fail(path + ": " + answer.Status)
	}
	return body
}

func check(err error) {
	if err != nil {
		fail(err.Error())
	}
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, "NOT PROVED:", why)
	os.Exit(1)
}
