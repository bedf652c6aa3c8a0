// Answers what Go's sumdb/tlog and sumdb/note say to trees, tiles and notes: a JSON object a line in, one a line out.
package main

import (
	"bufio"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type question struct {
	Kind    string
	Size    int64
	Root    []byte
	Index   int64
	Leaf    []byte
	OldSize int64
	OldRoot []byte
	Proof   [][]byte
	Folder  string
	Note    string
	Key     string
	Name    string
	Seed    []byte
}

type answer struct {
	Refused string   `json:"refused,omitempty"`
	Proof   [][]byte `json:"proof,omitempty"`
	Text    string   `json:"text,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	answers := json.NewEncoder(out)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		given, err := answerTo(asked)
		if err != nil {
			given = answer{Refused: err.Error()}
		}
		if err := answers.Encode(given); err != nil {
			panic(err)
		}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}

func answerTo(q question) (answer, error) {
	switch q.Kind {
	case "inclusion":
		hashes, err := hashesOf(append([][]byte{q.Root, q.Leaf}, q.Proof...))
		if err != nil {
			return answer{}, err
		}
		return answer{}, tlog.CheckRecord(hashes[2:], q.Size, hashes[0], q.Index, hashes[1])
	case "consistency":
		hashes, err := hashesOf(append([][]byte{q.Root, q.OldRoot}, q.Proof...))
		if err != nil {
			return answer{}, err
		}
		return answer{}, tlog.CheckTree(hashes[2:], q.Size, hashes[0], q.OldSize, hashes[1])
	case "proveInclusion":
		reader, err := tilesIn(q)
		if err != nil {
			return answer{}, err
		}
		proof, err := tlog.ProveRecord(q.Size, q.Index, reader)
		return answer{Proof: octetsOf(proof)}, err
	case "proveConsistency":
		reader, err := tilesIn(q)
		if err != nil {
			return answer{}, err
		}
		proof, err := tlog.ProveTree(q.Size, q.OldSize, reader)
		return answer{Proof: octetsOf(proof)}, err
	case "open":
		verifier, err := note.NewVerifier(q.Key)
		if err != nil {
			return answer{}, err
		}
		opened, err := note.Open([]byte(q.Note), note.VerifierList(verifier))
		if err != nil {
			return answer{}, err
		}
		return answer{Text: opened.Text}, nil
	case "sign":
		return signed(q)
	}
	return answer{}, errors.New("unknown question")
}

func hashesOf(octets [][]byte) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(octets))
	for at, one := range octets {
		if len(one) != tlog.HashSize {
			return nil, errors.New("not a hash")
		}
		copy(hashes[at][:], one)
	}
	return hashes, nil
}

func octetsOf(hashes []tlog.Hash) [][]byte {
	octets := make([][]byte, len(hashes))
	for at := range hashes {
		octets[at] = hashes[at][:]
	}
	return octets
}

// Tiles in a folder, named as C2SP tlog-tiles has it, without the height that Go's names begin with.
type folder string

func (f folder) Height() int { return 8 }

func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		data, err := os.ReadFile(filepath.Join(string(f), strings.TrimPrefix(tile.Path(), "tile/8/")))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func (f folder) SaveTiles(tiles []tlog.Tile, data [][]byte) {}

func tilesIn(q question) (tlog.HashReader, error) {
	roots, err := hashesOf([][]byte{q.Root})
	if err != nil {
		return nil, err
	}
	return tlog.TileHashReader(tlog.Tree{N: q.Size, Hash: roots[0]}, folder(q.Folder)), nil
}

// Signs a text by the key of a seed, and says which verifier key verifies it.
func signed(q question) (answer, error) {
	public := ed25519.NewKeyFromSeed(q.Seed).Public().(ed25519.PublicKey)
	key, err := note.NewEd25519VerifierKey(q.Name, public)
	if err != nil {
		return answer{}, err
	}
	id := sha256.Sum256(append([]byte(q.Name+"\n\x01"), public...))
	secret := base64.StdEncoding.EncodeToString(append([]byte{1}, q.Seed...))
	signer, err := note.NewSigner(fmt.Sprintf("PRIVATE+KEY+%s+%x+%s", q.Name, id[:4], secret))
	if err != nil {
		return answer{}, err
	}
	made, err := note.Sign(&note.Note{Text: q.Note}, signer)
	return answer{Text: key + "\n" + string(made)}, err
}
