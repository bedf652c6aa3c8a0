/** Mutants that no test of their area tells from the original, and why that is right; by `nameOf`. */
export const EXPLAINED: Readonly<Record<string, string>> = {}
