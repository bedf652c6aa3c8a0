import { expect } from 'chai'
import Type from 'typebox'
import { type Caller, refusal, told } from '#core/identity/index.js'
import { compose } from '#core/kernel/compose.js'
import { type Address, type Admitted, guard, operation } from '#core/kernel/operation.js'
import type { Part } from '#core/kernel/part.js'

const nobody: Caller = { kind: 'anonymous' }
const person: Caller = { kind: 'person', iin: 'IIN900101300010' }
const Answer = Type.Object({})
const spec = { group: 'rooms', summary: 'Enter a room', answer: Answer } as const

/** Lets in everybody but anonymous callers, to any room but the one that does not exist. */
const onRoom = guard({
  words: 'whoever has a name',
  refuses: ['authenticationRequired'],
  inject: {},
  check:
    () =>
    async (caller: Caller, { id }: { readonly id: string }) => {
      if (id === 'broken') throw new Error('no room')
      if (caller.kind === 'anonymous') throw refusal(caller)
      return { room: `room ${id}` }
    },
})

class Enter {
  static readonly operation = operation({
    ...{ ...spec, id: 'enter', at: 'GET /rooms/:id' },
    params: Type.Object({ id: Type.String() }),
    who: onRoom,
  })
  readonly entered: string[] = []
  async execute(caller: Caller, { room }: Admitted<typeof Enter.operation>) {
    this.entered.push(`${caller.kind} in ${room}`)
    return {}
  }
}

const knocking = (id: string, at: Address, refuses: readonly string[] = []) =>
  class {
    static readonly operation = operation({ ...spec, id, at, refuses, who: told('whoever knows how') })
    async execute(_caller: Caller) {
      return {}
    }
  }

const part = (...operations: NonNullable<Part['operations']>): Part => ({ name: 'rooms', operations })

describe('an operation and its guard', () => {
  it('is executed only for whom the guard lets in, with what the guard found', async () => {
    const enter = compose([part(Enter)], []).get(Enter)
    const forged = { id: 'a', room: 'another room' }
    await enter.execute(person, forged)
    const refused = await enter.execute(nobody, { id: 'a' }).catch((error: unknown) => Object(error).code)
    expect(refused).to.equal('authenticationRequired')
    expect(enter.entered).to.deep.equal(['person in room a'])
  })

  it('says whom its guard lets in, without executing, and does not hide failures', async () => {
    const enter = compose([part(Enter)], []).get(Enter)
    expect(await enter.admits(person, { id: 'a' })).to.equal(true)
    expect(await enter.admits(nobody, { id: 'a' })).to.equal(false)
    const failed = await enter.admits(person, { id: 'broken' }).catch((error: Error) => error.message)
    expect(failed).to.equal('no room')
    expect(enter.entered).to.deep.equal([])
  })

  it('says nothing of whom it lets in where only the operation itself knows', () => {
    const Knock = knocking('knock', 'GET /knock')
    expect(Object(compose([part(Knock)], []).get(Knock))).to.not.have.property('admits')
  })

  it('refuses two operations of one name or one address, and codes that no catalogue has', () => {
    const knock = knocking('knock', 'GET /knock')
    const composed =
      (...more: NonNullable<Part['operations']>) =>
      () =>
        compose([part(knock, ...more)], [])
    expect(composed(knocking('knock', 'GET /again'))).to.throw(TypeError, 'Two operations are called knock')
    expect(composed(knocking('again', 'GET /knock'))).to.throw(TypeError, 'Two operations are called GET /knock')
    const refusing = knocking('again', 'GET /again', ['nowhere'])
    expect(composed(refusing)).to.throw(TypeError, 'again refuses with nowhere, which no catalogue has')
  })
})
