import { anonymous, type Caller } from '@signed-registry/core'
import { SendPackage } from '@signed-registry/core/routing'
import { expect } from 'chai'
import fc from 'fast-check'
import { FailOverdueItems } from '#core/routing/waiting-items.js'
import { RegistryError } from '#verifier/error.js'
import { employeeCaller, headCaller, personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { type RoutingTest, routingTest } from '../../support/routing.js'
import { LIMITS, type ModelItem, type ModelPackage, RoutingModel } from '../../support/routing-model.js'
import { amount } from '../../support/sweep.js'

/** What commands play on: the registry under test, and who calls it in this run. */
interface Stage {
  readonly test: RoutingTest
  readonly callers: readonly Caller[]
  readonly parties: readonly string[]
}
type Command = fc.AsyncCommand<RoutingModel, Stage>

/** What came of an operation: its answer, or the code of its refusal. */
const outcomeOf = <T>(attempt: Promise<T>): Promise<T | string> =>
  attempt.catch((error: unknown) => {
    if (error instanceof RegistryError) return error.code
    throw error
  })

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length]
  if (found === undefined) throw new TypeError('the list is empty')
  return found
}

/** The caller of this number; `null` is for the one whom it concerns. */
const callerOf = ({ callers, parties }: Stage, who: number | null, party: string): Caller =>
  at(callers, who ?? parties.indexOf(party))

const name = (what: string, ...arguments_: unknown[]) => `${what}(${arguments_.join(', ')})`

/** A command on a package or item that is there already. */
function command<T>(
  text: string,
  of: (model: Pick<RoutingModel, 'packages' | 'items'>) => readonly T[],
  index: number,
  play: (model: RoutingModel, stage: Stage, one: T) => Promise<void>,
): Command {
  return {
    check: (model) => of(model).length > 0,
    run: (model, stage) => play(model, stage, at(of(model), index)),
    toString: () => text,
  }
}
const onPackage = (text: string, index: number, play: Parameters<typeof command<ModelPackage>>[3]) =>
  command(text, ({ packages }) => packages, index, play)
const onItem = (text: string, index: number, play: Parameters<typeof command<ModelItem>>[3]) =>
  command(text, ({ items }) => items, index, play)

const register = (who: number, count: number, isPrivate: boolean): Command => ({
  check: () => true,
  async run(model, { test, callers }) {
    const by = at(callers, who)
    const settings = { settings: { private: isPrivate }, documentsSettings: { private: isPrivate } }
    const { packageId, documentsIds } = await test.register({ by, count, ...settings })
    const documents = new Map(documentsIds.map((id) => [id, false]))
    model.packages.push({ id: packageId, by, isPrivate, documents })
  },
  toString: () => name('register', who, count, isPrivate),
})

const fix = (index: number, document: number) =>
  onPackage(name('fix', index, document), index, async (model, { test }, one) => {
    const id = at([...one.documents.keys()], document)
    const known = one.documents.get(id)
    const outcome = await outcomeOf(test.fix(id, one.by))
    if (known) return void expect(outcome).to.equal('documentDigestsAlreadyKnown')
    const outgoingId = model.fix(one, id, test.clock.now())
    expect(typeof outcome === 'string' ? outcome : outcome.outgoingId).to.equal(outgoingId)
  })

async function trySend(
  model: RoutingModel,
  { test }: Stage,
  one: ModelPackage,
  { by, receiver, until }: { by: Caller; receiver: string; until?: number | undefined },
) {
  const refusal = model.refusalOfSend(by, one, receiver)
  const deadline = until === undefined ? undefined : test.clock.now() + until
  const request = { to: receiver, ...(deadline !== undefined && { deadline }) }
  const outcome = await outcomeOf(test.registry.get(SendPackage).execute(by, { packageId: one.id, request }))
  if (refusal !== undefined) return void expect(outcome).to.equal(refusal)
  if (typeof outcome === 'string') throw new Error(`Refused with ${outcome}`)
  model.send(outcome.outgoingId, by, one, { receiver, deadline, now: test.clock.now() })
}

const send = (index: number, who: number, to: number, until: number | undefined) =>
  onPackage(name('send', index, who, to, until), index, (model, stage, one) =>
    trySend(model, stage, one, { by: at(stage.callers, who), receiver: at(stage.parties, to), until }),
  )

const sendAgain = (index: number) =>
  onItem(name('sendAgain', index), index, (model, stage, { subject, sender, receiver }) =>
    trySend(model, stage, subject, { by: callerOf(stage, null, sender), receiver }),
  )

const answer = (index: number, who: number | null, status: 'accepted' | 'denied' | undefined) =>
  onItem(name('answer', index, who, status), index, async (model, stage, item) => {
    const { test } = stage
    const by = callerOf(stage, who, item.receiver)
    const refusal =
      status === undefined
        ? model.refusalOfComment('incoming', by, item, false)
        : model.refusalOfDecision(by, item, status, test.clock.now())
    const request = status === undefined ? { comment: 'a comment' } : { status }
    const outcome = await outcomeOf(test.answer(item.id, request, by))
    expect(outcome).to.deep.equal(refusal ?? { incomingId: item.id })
    if (refusal === undefined) model.comment(item, status)
  })

const race = (index: number, who: number | null) =>
  onItem(name('race', index, who), index, async (model, stage, item) => {
    const { test } = stage
    const by = callerOf(stage, who, item.receiver)
    const decisions = ['accepted', 'denied'] as const
    const refusals = decisions.map((status) => model.refusalOfDecision(by, item, status, test.clock.now()))
    const outcomes = await Promise.all(decisions.map((status) => outcomeOf(test.answer(item.id, { status }, by))))
    const winner = outcomes.findIndex((outcome) => typeof outcome !== 'string')
    if (winner === -1) return void expect(outcomes).to.deep.equal(refusals)
    expect(refusals[winner]).to.equal(undefined)
    // The deadline is looked at after the status.
    expect(outcomes[1 - winner]).to.be.oneOf(['statusCanNotBeChanged', refusals[1 - winner]])
    model.comment(item, decisions[winner])
  })

const raceRecall = (index: number) =>
  onItem(name('raceRecall', index), index, async (model, stage, item) => {
    const { test } = stage
    const [from, to] = [callerOf(stage, null, item.sender), callerOf(stage, null, item.receiver)]
    const now = test.clock.now()
    const [noRecall, noDecision, noReminder] = [
      model.refusalOfRecall(from, item),
      model.refusalOfDecision(to, item, 'denied', now),
      model.refusalOfRemind(from, item, now),
    ]
    const [recalled, decided, reminded] = await Promise.all([
      outcomeOf(test.recall(item.id, undefined, from)),
      outcomeOf(test.answer(item.id, { status: 'denied' }, to)),
      outcomeOf(test.remind(item.id, from)),
    ])
    if (typeof reminded === 'string') expect(reminded).to.be.oneOf([noReminder, 'reminderNotPossible'])
    else {
      expect(noReminder).to.equal(undefined)
      model.remind(item, now)
    }
    if (typeof recalled !== 'string') {
      expect([noRecall, typeof decided]).to.deep.equal([undefined, 'string'])
      return model.recall(item, false)
    }
    expect(recalled).to.be.oneOf([noRecall, 'canNotBeRecalled'])
    if (typeof decided === 'string') return void expect([recalled, decided]).to.deep.equal([noRecall, noDecision])
    model.comment(item, 'denied')
  })

const remind = (index: number, who: number | null) =>
  onItem(name('remind', index, who), index, async (model, stage, item) => {
    const { test } = stage
    const by = callerOf(stage, who, item.sender)
    const refusal = model.refusalOfRemind(by, item, test.clock.now())
    const outcome = await outcomeOf(test.remind(item.id, by))
    if (refusal !== undefined) return void expect(outcome).to.equal(refusal)
    model.remind(item, test.clock.now())
    const remindersLeft = LIMITS.remindersPerItem - item.reminders
    expect(outcome).to.deep.equal({ outgoingId: item.id, remindersLeft })
  })

const recall = (index: number, who: number | null, why: string | undefined) =>
  onItem(name('recall', index, who, why), index, async (model, stage, item) => {
    const by = callerOf(stage, who, item.sender)
    const refusal = model.refusalOfRecall(by, item)
    const outcome = await outcomeOf(stage.test.recall(item.id, why, by))
    expect(outcome).to.deep.equal(refusal ?? { outgoingId: item.id })
    if (refusal === undefined) model.recall(item, why !== undefined)
  })

/** What both sides read of an item; the receiver's first reading is noted. */
const read = (index: number, who: number | null) =>
  onItem(name('read', index, who), index, async (model, stage, item) => {
    const { test } = stage
    const by = callerOf(stage, who, item.receiver)
    const refusal = model.refusalOfRead('incoming', by, item)
    const outcome = await outcomeOf(test.incoming(item.id, by))
    if (typeof outcome === 'string') expect(outcome).to.equal(refusal)
    else {
      item.openedAt ??= test.clock.now()
      expect(refusal).to.equal(undefined)
      expect(outcome.comments).to.have.length(item.comments)
    }
    const sent = await test.outgoing(item.id, callerOf(stage, null, item.sender))
    const { status, openedAt, deadline, reminders } = item
    const told = { status, openedAt, deadline, reminders, recalled: item.isRecalled || undefined }
    expect({ ...told, ...sent }).to.deep.include(told)
    expect(sent.recalled).to.equal(told.recalled)
  })

const comment = (index: number, who: number | null) =>
  onItem(name('comment', index, who), index, async (model, stage, item) => {
    const { test } = stage
    const by = callerOf(stage, who, item.sender)
    const refusal = model.refusalOfComment('outgoing', by, item, false)
    const outcome = await outcomeOf(test.comment(item.id, 'a comment', by))
    expect(outcome).to.deep.equal(refusal ?? { outgoingId: item.id })
    if (refusal === undefined) model.comment(item, undefined)
  })

const see = (index: number, who: number) =>
  onPackage(name('see', index, who), index, async (model, { test, callers }, one) => {
    const by = at(callers, who)
    const refused = by.kind === 'anonymous' ? 'authenticationRequired' : 'accessDenied'
    const outcome = await outcomeOf(test.package(one.id, by))
    if (!model.mayView(by, one)) return void expect(outcome).to.equal(refused)
    expect(outcome).to.have.property('packageId', one.id)
  })

const wait = (ms: number): Command => ({
  check: () => true,
  async run(model, { test }) {
    test.clock.time += ms
    await test.registry.get(FailOverdueItems).run()
    model.failOverdue(test.clock.now())
  },
  toString: () => name('wait', ms),
})

const list = (who: number, status: ModelItem['status'] | undefined): Command => ({
  check: () => true,
  async run(model, { test, callers }) {
    const by = at(callers, who)
    const query = status === undefined ? {} : { status }
    const incoming = await outcomeOf(test.listIncoming(by, query))
    const outgoing = await outcomeOf(test.listOutgoing(by, query))
    const party = model.party(by)
    if (typeof incoming === 'string' || typeof outgoing === 'string' || party === undefined) {
      const refusal = by.kind === 'anonymous' ? 'authenticationRequired' : 'accessDenied'
      return void expect([incoming, outgoing, party]).to.deep.equal([refusal, refusal, undefined])
    }
    const received = model.list('incoming', party, status)
    const sent = model.list('outgoing', party, status)
    expect(incoming.items.map(({ incomingId }) => incomingId)).to.deep.equal(received)
    expect(outgoing.items.map(({ outgoingId }) => outgoingId)).to.deep.equal(sent)
    expect([incoming.incomingTotal, outgoing.outgoingTotal]).to.deep.equal([received.length, sent.length])
    for (const item of outgoing.items) {
      expect(item.status).to.equal(model.items.find(({ id }) => id === item.outgoingId)?.status)
    }
  },
  toString: () => name('list', who, status),
})

const index = fc.nat({ max: 2 })
const who = fc.nat({ max: 4 })
const whoever = fc.option(who, { freq: 2 })
const until = fc.constantFrom(undefined, undefined, 300)
const commands = fc.commands(
  [
    fc.tuple(who, fc.integer({ min: 1, max: 2 }), fc.boolean()).map((choice) => register(...choice)),
    fc.tuple(index, fc.nat({ max: 1 })).map((choice) => fix(...choice)),
    fc.tuple(index, who, fc.nat({ max: 2 }), until).map((choice) => send(...choice)),
    index.map(sendAgain),
    fc.tuple(index, whoever, fc.constantFrom('accepted', 'denied', undefined)).map((choice) => answer(...choice)),
    fc.tuple(index, whoever).map((choice) => race(...choice)),
    fc.tuple(index, whoever).map((choice) => comment(...choice)),
    fc.tuple(index, whoever).map((choice) => remind(...choice)),
    fc.tuple(index, whoever, fc.constantFrom('the wrong file', undefined)).map((choice) => recall(...choice)),
    index.map(raceRecall),
    fc.tuple(index, whoever).map((choice) => read(...choice)),
    fc.tuple(index, who).map((choice) => see(...choice)),
    fc.constantFrom(0, 1, 400, 1000).map(wait),
    fc.tuple(who, fc.constantFrom('sending', 'failed', 'new', 'accepted', undefined)).map((choice) => list(...choice)),
  ],
  { maxCommands: 60, size: 'max' },
)

describe('random sending compared with a model', () => {
  forEachDatabase((open) => {
    it('does what the model does', async () => {
      const test = await routingTest(open, { limits: LIMITS })
      let runs = 0
      const play = async (chosen: Iterable<Command>) => {
        // Every run has people and organizations of its own, and so lists of its own.
        const number = (kind: number) => String(100_000_000_000 + ++runs * 10 + kind)
        const [first, second, third] = [`BIN${number(1)}`, `BIN${number(2)}`, `IIN${number(3)}`]
        const callers = [
          headCaller({ bin: first }),
          headCaller({ bin: second }),
          personCaller(third),
          employeeCaller({ bin: second, iin: `IIN${number(4)}` }),
          anonymous,
        ]
        const setup = () => ({
          model: new RoutingModel((caller) => caller !== callers[3]),
          real: { test, callers, parties: [first, second, third] },
        })
        await fc.asyncModelRun(setup, chosen)
      }
      try {
        await fc.assert(fc.asyncProperty(commands, play), { numRuns: amount(15, 200) })
      } finally {
        await test.registry.close()
      }
    })
  })
})
