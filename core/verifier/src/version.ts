/** The version of this package, as its package.json has it: a constant, since what reads no files runs in browsers too. */
export const VERIFIER_VERSION = '0.1.0'

/** The rules that verdicts follow; the number changes where the same bytes and options may come to another verdict. */
export const RULES_VERSION = 'signed-registry/rules/1'
