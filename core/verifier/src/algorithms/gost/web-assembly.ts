/**
 * A small assembler for WebAssembly modules (W3C WebAssembly Core 1.0, section 5): integer arithmetic over one private
 * memory, no imports. Instructions nest like expressions: `i64.xor(local.get(0), i64.load(local.get(1)))`.
 */
export type Code = readonly number[]

/** Unsigned LEB128. */
const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]

/** Signed LEB128. */
function signed(value: bigint): number[] {
  const low = Number(value & 0x7fn)
  const rest = value >> 7n
  if ((rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40)) return [low]
  return [low | 0x80, ...signed(rest)]
}

const operation =
  (opcode: number) =>
  (...operands: readonly Code[]): Code => [...operands.flat(), opcode]

/** A load or store; the alignment hint is 1, memory needs no alignment. */
const access =
  (opcode: number) =>
  (offset: number, ...operands: readonly Code[]): Code => [...operands.flat(), opcode, 0, ...unsigned(offset)]

const I32 = 0x7f
const I64 = 0x7e
const NOTHING = 0x40
const END = 0x0b

export const i32 = {
  type: I32,
  const: (value: number): Code => [0x41, ...signed(BigInt(value | 0))],
  load: access(0x28),
  load16: access(0x2f),
  store: access(0x36),
  store16: access(0x3b),
  add: operation(0x6a),
  sub: operation(0x6b),
  and: operation(0x71),
  or: operation(0x72),
  xor: operation(0x73),
  shl: operation(0x74),
  shr: operation(0x76),
  below: operation(0x49),
  wrap: operation(0xa7),
}

export const i64 = {
  type: I64,
  const: (value: bigint): Code => [0x42, ...signed(BigInt.asIntN(64, value))],
  load: access(0x29),
  load32: access(0x35),
  store: access(0x37),
  store32: access(0x3e),
  equal: operation(0x51),
  below: operation(0x54),
  add: operation(0x7c),
  sub: operation(0x7d),
  mul: operation(0x7e),
  and: operation(0x83),
  or: operation(0x84),
  xor: operation(0x85),
  shl: operation(0x86),
  shrSigned: operation(0x87),
  shr: operation(0x88),
  extend: operation(0xad),
  extendSigned: operation(0xac),
}

export const local = {
  get: (index: number): Code => [0x20, ...unsigned(index)],
  set: (index: number, value: Code): Code => [...value, 0x21, ...unsigned(index)],
}

export const call = (index: number, ...operands: readonly Code[]): Code => [
  ...operands.flat(),
  0x10,
  ...unsigned(index),
]

/** Repeats the body until the i32 condition, evaluated after each pass, is zero. */
export const repeatWhile = (condition: Code, ...body: readonly Code[]): Code => [
  ...[0x03, NOTHING],
  ...body.flat(),
  ...[...condition, 0x0d, 0, END],
]

/** A function without result: i32 parameters come first among its locals, then `locals`. */
export interface WasmFunction {
  readonly name: string
  readonly parameters: number
  readonly locals?: readonly number[]
  readonly body: readonly Code[]
}

const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()]
const sized = (content: Code): Code => [...unsigned(content.length), ...content]
const named = (name: string): Code => sized([...name].map((letter) => letter.charCodeAt(0)))

function functionBody({ locals = [], body }: WasmFunction): Code {
  return sized([...vector(locals.map((type) => [1, type])), ...body.flat(), END])
}

/** The binary module: a memory of `pages` times 64 KiB exported as `memory`, and every function under its name. */
function assemble(pages: number, functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters }) => [0x60, ...vector(Array(parameters).fill([I32])), 0])
  const exports = functions.map(({ name }, index) => [...named(name), 0x00, ...unsigned(index)])
  const sections: [number, readonly Code[]][] = [
    [1, types],
    [3, functions.map((_, index) => unsigned(index))],
    [5, [[0x00, ...unsigned(pages)]]],
    [7, [[...named('memory'), 0x02, 0], ...exports]],
    [10, functions.map(functionBody)],
  ]
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
  return Uint8Array.from([...header, ...sections.flatMap(([id, items]) => [id, ...sized(vector(items))])])
}

/** The part of the WebAssembly API that is used here, which the ES library types lack. */
interface WebAssemblyEngine {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  Instance: new (module: object) => { readonly exports: Record<string, unknown> }
}

export interface WasmInstance<Name extends string> {
  readonly memory: Uint8Array
  readonly functions: Readonly<Record<Name, (...operands: number[]) => void>>
}

/** Compiles and instantiates a module; callers keep the instance. */
export function instantiate<Name extends string>(
  pages: number,
  functions: readonly (WasmFunction & { readonly name: Name })[],
): WasmInstance<Name> {
  const { WebAssembly } = globalThis as typeof globalThis & { WebAssembly: WebAssemblyEngine }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assemble(pages, functions)))
  const { memory, ...rest } = exports as { readonly memory: { readonly buffer: ArrayBuffer } }
  return { memory: new Uint8Array(memory.buffer), functions: rest as WasmInstance<Name>['functions'] }
}
