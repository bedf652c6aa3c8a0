import type { GostCurve } from '#verifier/algorithms/gost/index.js'

/** A worked example of the standard; numbers are hexadecimal, highest octet first. */
export interface StandardExample {
  readonly title: string
  readonly curve: GostCurve
  readonly privateKey: bigint
  readonly publicKey: { readonly x: bigint; readonly y: bigint }
  readonly e: string
  readonly r: string
  readonly s: string
}

const example256: StandardExample = {
  title: 'RFC 7091 section 7.1 (256 bits)',
  curve: {
    name: 'example of 256 bits',
    length: 32,
    p: 0x8000000000000000000000000000000000000000000000000000000000000431n,
    a: 7n,
    b: 0x5fbff498aa938ce739b8e022fbafef40563f6e6a3472fc2a514c0ce9dae23b7en,
    q: 0x8000000000000000000000000000000150fe8a1892976154c59cfc193accf5b3n,
    cofactor: 1n,
    base: { x: 2n, y: 0x08e2a8a0e65147d4bd6316030e16d19c85c97f0a9ca267122b96abbcea7e8fc8n },
  },
  privateKey: 0x7a929ade789bb9be10ed359dd39a72c11b60961f49397eee1d19ce9891ec3b28n,
  publicKey: {
    x: 0x7f2b49e270db6d90d8595bec458b50c58585ba1d4e9b788f6689dbd8e56fd80bn,
    y: 0x26f1b489d6701dd185c8413a977b3cbbaf64d1c593d26627dffb101a87ff77dan,
  },
  e: '2dfbc1b372d89a1188c09c52e0eec61fce52032ab1022e8e67ece6672b043ee5',
  r: '41aa28d2f1ab148280cd9ed56feda41974053554a42767b83ad043fd39dc0493',
  s: '01456c64ba4642a1653c235a98a60249bcd6d3f746b631df928014f6c5bf9c40',
}

const example512: StandardExample = {
  title: 'GOST R 34.10-2012 A.2 (512 bits)',
  curve: {
    name: 'example of 512 bits',
    length: 64,
    p: 0x4531acd1fe0023c7550d267b6b2fee80922b14b2ffb90f04d4eb7c09b5d2d15df1d852741af4704a0458047e80e4546d35b8336fac224dd81664bbf528be6373n,
    a: 7n,
    b: 0x1cff0806a31116da29d8cfa54e57eb748bc5f377e49400fdd788b649eca1ac4361834013b2ad7322480a89ca58e0cf74bc9e540c2add6897fad0a3084f302adcn,
    q: 0x4531acd1fe0023c7550d267b6b2fee80922b14b2ffb90f04d4eb7c09b5d2d15da82f2d7ecb1dbac719905c5eecc423f1d86e25edbe23c595d644aaf187e6e6dfn,
    cofactor: 1n,
    base: {
      x: 0x24d19cc64572ee30f396bf6ebbfd7a6c5213b3b3d7057cc825f91093a68cd762fd60611262cd838dc6b60aa7eee804e28bc849977fac33b4b530f1b120248a9an,
      y: 0x2bb312a43bd2ce6e0d020613c857acddcfbf061e91e5f2c3f32447c259f39b2c83ab156d77f1496bf7eb3351e1ee4e43dc1a18b91b24640b6dbb92cb1add371en,
    },
  },
  privateKey:
    0x0ba6048aadae241ba40936d47756d7c93091a0e8514669700ee7508e508b102072e8123b2200a0563322dad2827e2714a2636b7bfd18aadfc62967821fa18dd4n,
  publicKey: {
    x: 0x115dc5bc96760c7b48598d8ab9e740d4c4a85a65be33c1815b5c320c854621dd5a515856d13314af69bc5b924c8b4ddff75c45415c1d9dd9dd33612cd530efe1n,
    y: 0x37c7c90cd40b0f5621dc3ac1b751cfa0e2634fa0503b3d52639f5d7fb72afd61ea199441d943ffe7f0c70a2759a3cdb84c114e1f9339fdf27f35eca93677beecn,
  },
  e: '3754f3cfacc9e0615c4f4a7c4d8dab531b09b6f9c170c533a71d147035b0c5917184ee536593f4414339976c647c5d5a407adedb1d560c4fc6777d2972075b8c',
  r: '2f86fa60a081091a23dd795e1e3c689ee512a3c82ee0dcc2643c78eea8fcacd35492558486b20f1c9ec197c90699850260c93bcbcd9c5c3317e19344e173ae36',
  s: '1081b394696ffe8e6585e7a9362d26b6325f56778aadbc081c0bfbe933d52ff5823ce288e8c4f362526080df7f70ce406a6eeb1f56919cb92a9853bde73e5b4a',
}

export const standardExamples = [example256, example512]
