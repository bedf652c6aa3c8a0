import { type Plugin, TimestampSource, watch } from '@signed-registry/core'
import type { DevAuthorities } from '@signed-registry/dev-authorities'
import type { TimeStampChange } from '#dev-authorities/authority/time-stamping.js'
import type { Holder } from '#dev-authorities/cms/signed-data.js'
import type { TestClock } from '../pki/authorities.js'
import { DAY } from '../pki/authorities.js'
import { timeStamper } from '../pki/tokens.js'

/** A time-stamping authority that gets another certificate when a test says so. */
export interface DatedAuthority {
  readonly plugin: Plugin
  /** How often it was asked. */
  asked: number
  /** Set while it does not answer. */
  isDown: boolean
  /** How it misbehaves. */
  change: TimeStampChange | undefined
  readonly holder: Holder
  /** Goes on with another certificate that is valid for some years from now. */
  rollOver(years: number): void
}

const YEAR = 365 * DAY

export function datedAuthority(authorities: DevAuthorities, clock: TestClock, years: number): DatedAuthority {
  const made = (validYears: number) =>
    timeStamper(authorities, {
      notBefore: clock.time - DAY,
      notAfter: clock.time + validYears * YEAR,
      commonName: `TSA ${new Date(clock.time).getUTCFullYear()}`,
    })
  let holder = made(years)
  const authority: DatedAuthority = {
    asked: 0,
    isDown: false,
    change: undefined,
    get holder() {
      return holder
    },
    rollOver(validYears) {
      holder = made(validYears)
    },
    plugin: {
      name: 'dated-authority',
      watches: [
        watch(TimestampSource, () => ({
          url: 'http://tsa.test.invalid/',
          async timestamp(request) {
            authority.asked += 1
            if (authority.isDown) throw new Error('The authority is down')
            return authorities.tsa.respond(request, (honest) => ({
              signer: holder,
              hash: holder.key.hash,
              certificates: [holder.certificate],
              ...authority.change?.(honest),
            }))
          },
        })),
      ],
    },
  }
  return authority
}
