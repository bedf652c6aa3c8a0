/** Mutants that no test of their area tells from the original, and why that is right; by `nameOf`. */
export const EXPLAINED: Readonly<Record<string, string>> = {
  "routing/item-reader.js: if (error instanceof RegistryError && error.kind === 'absent') → if (error instanceof RegistryError || error.kind === 'absent')":
    'reading a document or a package is refused as forbidden or as absent, and in no other way',
}
