import { type WeierstrassPointCons, weierstrass } from '@noble/curves/abstract/weierstrass.js'
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from '@noble/curves/misc.js'
import { p256, p384, p521 } from '@noble/curves/nist.js'

type Curve = WeierstrassPointCons<bigint>

/** A twisted curve (RFC 5639, 3): of the field and order of the random one, with a = -3. */
function twisted({ Point }: { readonly Point: Curve }, [b, Gx, Gy]: readonly [bigint, bigint, bigint]): Curve {
  const { p, n, h } = Point.CURVE()
  return weierstrass({ p, n, h, a: p - 3n, b, Gx, Gy })
}

/** Each curve is put together when a key of it is met. */
const CURVES: Readonly<Record<string, () => Curve>> = {
  prime256v1: () => p256.Point,
  secp384r1: () => p384.Point,
  secp521r1: () => p521.Point,
  brainpoolP256r1: () => brainpoolP256r1.Point,
  brainpoolP384r1: () => brainpoolP384r1.Point,
  brainpoolP512r1: () => brainpoolP512r1.Point,
  brainpoolP256t1: () =>
    twisted(brainpoolP256r1, [
      0x662c61c430d84ea4fe66a7733d0b76b7bf93ebc4af2f49256ae58101fee92b04n,
      0xa3e8eb3cc1cfe7b7732213b23a656149afa142c47aafbc2b79a191562e1305f4n,
      0x2d996c823439c56d7f7b22e14644417e69bcb6de39d027001dabe8f35b25c9ben,
    ]),
  brainpoolP384t1: () =>
    twisted(brainpoolP384r1, [
      0x7f519eada7bda81bd826dba647910f8c4b9346ed8ccdc64e4b1abd11756dce1d2074aa263b88805ced70355a33b471een,
      0x18de98b02db9a306f2afcd7235f72a819b80ab12ebd653172476fecd462aabffc4ff191b946a5f54d8d0aa2f418808ccn,
      0x25ab056962d30651a114afd2755ad336747f93475b7a1fca3b88f2b6a208ccfe469408584dc2b2912675bf5b9e582928n,
    ]),
  brainpoolP512t1: () =>
    twisted(brainpoolP512r1, [
      0x7cbbbcf9441cfab76e1890e46884eae321f70c0bcb4981527897504bec3e36a62bcdfa2304976540f6450085f2dae145c22553b465763689180ea2571867423en,
      0x640ece5c12788717b9c1ba06cbc2a6feba85842458c56dde9db1758d39c0313d82ba51735cdb3ea499aa77a7d6943a64f7a3f25fe26f06b51baa2696fa9035dan,
      0x5b534bd595f5af0fa2c892376c84ace1bb4e3019b71634c01131159cae03cee9d9932184beef216bd71df2dadf86a627306ecff96dbb8bace198b61e00f8b332n,
    ]),
}
const made = new Map<string, Curve>()

/** A curve by its name in OpenSSL. */
export function curveNamed(name: string): Curve {
  const found = made.get(name) ?? CURVES[name]?.()
  if (found === undefined) throw new TypeError(`curve ${name} is not supported`)
  made.set(name, found)
  return found
}
