import {
  anonymous,
  ContentScanner,
  provideValue,
  type RegistryLimits,
  type RegistryOptions,
  type ScanVerdict,
} from '@signed-registry/core'

import { SignPackage } from '@signed-registry/core/packages'
import { SaveUserSettings } from '@signed-registry/core/settings'
import { expect } from 'chai'
import { mailDeviations } from '#core/deviations/mail.js'
import { MailKeys, RecipientStore } from '#core/mail/recipients.js'
import { personCaller } from '../support/core-registry.js'
import type { OpenDatabase } from '../support/databases.js'
import { MailStory } from '../support/mail-story.js'
import { fixedPackage, signaturesOver } from '../support/packages.js'
import { rejectionOf } from '../support/refusal.js'
import { SmtpSink } from '../support/smtp-sink.js'
import { deviate } from './deviate.js'

const DAY = 24 * 60 * 60_000
const A = 'a@example.kz'
const [FIRST, SECOND, THIRD] = ['850101300012', '860101300019', '870101300016']

describe('deviations about mail', () => {
  let sink: SmtpSink
  before(async () => {
    sink = await SmtpSink.start()
  })
  after(() => sink.close())

  /** Runs a story on a registry of its own. */
  const within =
    (tell: (story: MailStory) => Promise<void>, options: Partial<RegistryOptions> = {}) =>
    async (open: OpenDatabase) => {
      sink.forget()
      const story = await MailStory.begin(open, sink, options)
      try {
        await tell(story)
      } finally {
        await story.close()
      }
    }
  const limits = (given: Partial<RegistryLimits>) => ({ limits: given })
  /** Who was told what. */
  const told = async (story: MailStory, owner: string) =>
    (await story.kept(owner))
      .map(({ payload }) => payload as { to: string; news: { kind: string } })
      .map(({ to, news }) => `${to} ${news.kind}`)
      .sort()
  const wantsMail = (story: MailStory, iin: string, email: string) =>
    story.test.registry.get(SaveUserSettings).execute(personCaller(`IIN${iin}`), {
      request: { email, emailNotificationsEnabled: true },
    })
  /** What was told of a document of the first that the second signed. */
  const signed = async (story: MailStory, to: string[], signer = story.person(SECOND)) => {
    const { documentId } = await story.complete(to)
    await story.sign(documentId, signer)
    return told(story, documentId)
  }
  /** A package of the first that the second signed, all at once or one document alone. */
  const signedPackage = async (story: MailStory, isWhole: boolean) => {
    const { packageId, documentsIds, originals } = await fixedPackage(story.test, {
      caller: personCaller(`IIN${FIRST}`),
      emailNotifications: { to: [A] },
      count: 2,
    })
    const signatures = signaturesOver(originals, story.person(SECOND))
    if (isWhole) await story.test.registry.get(SignPackage).execute(anonymous, { packageId, request: { signatures } })
    else
      for (const [at, id] of documentsIds.entries())
        await story.sign(id, story.person(SECOND), undefined, originals[at])
    return (await Promise.all([packageId, ...documentsIds].map((owner) => told(story, owner)))).flat()
  }
  const scannerSays = (scan: () => ScanVerdict) => {
    const scanner: ContentScanner = {
      async scan(bytes) {
        for await (const _ of bytes);
        return scan()
      },
    }
    return { plugins: [{ name: 'scanner', provides: [provideValue(ContentScanner, scanner)] }] }
  }
  const attachments = async (story: MailStory, address = A) => {
    await sink.came(1)
    return story.only(address).attachments.length
  }

  /** How many of two who signed hear of the third who does. */
  const tellsOfThird = (mailedSigners: number, count: number) =>
    within(async (story) => {
      for (const iin of [FIRST, SECOND]) await wantsMail(story, iin, `${iin}@example.kz`)
      const { documentId } = await story.complete([])
      await story.sign(documentId, story.person(SECOND))
      await story.sign(documentId, story.person(THIRD))
      // The first has heard of the second already.
      expect(await told(story, documentId)).to.have.length(1 + count)
    }, limits({ mailedSigners }))
  /** How many of three mails to one address, and one to another, arrive. */
  const reaches = (mailsPerRecipientPerHour: number, count: number) =>
    within(async (story) => {
      const { documentId } = await story.complete([A])
      await sink.came(1)
      await story.sign(documentId, story.person(SECOND))
      await story.sign(documentId, story.person(THIRD), ['b@example.kz'])
      await sink.came(1 + count)
      await story.settle()
      expect(sink.to(A)).to.have.length(count)
    }, limits({ mailsPerRecipientPerHour }))
  const arrives = within(async (story) => {
    await story.complete([A])
    await sink.came(1)
  })

  deviate(mailDeviations, {
    notToTheSigner: {
      ours: within(async (story) => {
        await wantsMail(story, SECOND, 'own@example.kz')
        const signer = story.person(SECOND, 'certificate@example.kz')
        const got = await signed(story, ['own@example.kz', 'certificate@example.kz'], signer)
        expect(got.filter((one) => one.includes('signatureAdded'))).to.deep.equal([])
      }),
      asWritten: within(async (story) => {
        expect(await signed(story, [A])).to.include(`${A} signatureAdded`)
      }),
    },
    oneMailForTypesTwoAndThree: {
      ours: within(async (story) => {
        await wantsMail(story, FIRST, A)
        expect(await signed(story, [A])).to.deep.equal([`${A} documentSigned`, `${A} signatureAdded`])
      }),
      asWritten: within(async (story) => {
        await wantsMail(story, FIRST, 'first@example.kz')
        expect(await signed(story, [A])).to.include.members([
          `${A} signatureAdded`,
          'first@example.kz ownDocumentSigned',
        ])
      }),
    },
    oneMailOfWholePackage: {
      ours: within(async (story) => {
        expect(await signedPackage(story, true)).to.deep.equal([`${A} packageRegistered`, `${A} packageSigned`])
      }),
      asWritten: within(async (story) => {
        expect(await signedPackage(story, false)).to.deep.equal([
          `${A} packageRegistered`,
          `${A} signatureAdded`,
          `${A} signatureAdded`,
        ])
      }),
    },
    notToAllSigners: { ours: tellsOfThird(1, 1), asWritten: tellsOfThird(0, 2) },
    originalsFromStorage: {
      ours: within(async (story) => {
        const { documentId } = await story.complete([])
        await story.sign(documentId, story.person(SECOND), [A])
        expect(await attachments(story)).to.equal(0)
        expect(story.only(A).text).to.contain('the service does not keep the original')
      }),
      asWritten: within(async (story) => {
        const { documentId } = await story.complete([], { settings: { tempStorageAfterRegistration: DAY } })
        await story.sign(documentId, story.person(SECOND), [A])
        expect(await attachments(story)).to.equal(1)
      }),
    },
    notWithoutVerdict: {
      ours: within(
        async (story) => {
          await story.complete([A])
          expect(await attachments(story)).to.equal(0)
        },
        scannerSays(() => {
          throw new Error('no scanner')
        }),
      ),
      asWritten: within(
        async (story) => {
          await story.complete([A])
          expect(await attachments(story)).to.equal(1)
        },
        scannerSays(() => ({ verdict: 'clean' })),
      ),
    },
    noRoomForAttachments: {
      ours: within(
        async (story) => {
          expect((await story.complete([A])).emailNotifications).to.deep.equal({ attached: false })
          expect(await attachments(story)).to.equal(0)
        },
        { shares: { temporaryStorage: { stranger: 1 } } },
      ),
      asWritten: within(
        async (story) => {
          expect((await story.complete([A])).emailNotifications).to.deep.equal({ attached: true })
          expect(await attachments(story)).to.equal(1)
        },
        { shares: { temporaryStorage: { stranger: 0, strangers: 0, whole: 0 } } },
      ),
    },
    mailsInAnHour: {
      ours: within(
        async (story) => {
          const refused = await rejectionOf(story.register({ emailNotifications: { to: [A, 'b@example.kz'] } }))
          expect(refused.code).to.equal('mailLimitReached')
          expect((await rejectionOf(story.strangersPackage([A, 'b@example.kz']))).code).to.equal('mailLimitReached')
        },
        limits({ newSignersRecipientsPerHour: 1, strangerMailsPerHour: 1 }),
      ),
      asWritten: within(
        async (story) => {
          const to = Array.from({ length: 20 }, (_, n) => `name${n}@example.kz`)
          const { documentId } = await story.complete(to)
          expect(await told(story, documentId)).to.have.length(20)
          await story.strangersPackage(to)
        },
        limits({
          mailsPerHour: 0,
          newRecipientsPerHour: 0,
          newSignersRecipientsPerHour: 0,
          strangerMailsPerHour: 0,
          strangersMailsPerHour: 0,
        }),
      ),
    },
    mailsToOneAddress: { ours: reaches(1, 1), asWritten: reaches(0, 3) },
    notToWhoRefuses: {
      ours: within(async (story) => {
        const { registry } = story.test
        await registry.get(RecipientStore).refuse(await registry.get(MailKeys).recipient(A), 'registered')
        await story.complete([A, 'b@example.kz'])
        await sink.came(1)
        await story.settle()
        expect(sink.recipients).to.deep.equal(['b@example.kz'])
      }),
      asWritten: arrives,
    },
    notToDeadAddresses: {
      ours: within(async (story) => {
        const { registry } = story.test
        await registry.get(RecipientStore).bounced(await registry.get(MailKeys).recipient(A), '5.1.1')
        await story.complete([A, 'b@example.kz'])
        await sink.came(1)
        await story.settle()
        expect(sink.recipients).to.deep.equal(['b@example.kz'])
      }),
      asWritten: arrives,
    },
    strangersMail: {
      ours: within(async (story) => {
        const { packageId, fixed, documentsIds } = await story.strangersPackage([A])
        expect(fixed.emailNotifications).to.deep.equal({ attached: false })
        expect(await attachments(story)).to.equal(0)
        await story.sign(documentsIds[0] ?? '', story.person())
        await sink.came(2)
        for (const { mail, raw } of sink.got) {
          expect(`${mail.subject} ${mail.text} ${mail.html} ${raw}`).not.to.match(/You won|8 800|prize/)
          expect(mail.text).to.contain('Your address was given by somebody the service does not know')
          expect(mail.attachments).to.have.length(0)
        }
        expect(sink.got[0]?.mail.text).to.contain(`/p/${packageId}`)
      }),
      asWritten: within(async (story) => {
        await fixedPackage(story.test, {
          caller: personCaller(`IIN${FIRST}`),
          title: 'Deal',
          description: 'Two contracts',
          documentsSettings: { tempStorageAfterRegistration: DAY },
          emailNotifications: { to: [A] },
        })
        expect(await attachments(story)).to.equal(3)
        expect(story.only(A).text).to.contain('Package: Deal').and.to.contain('Description: Two contracts')
      }),
    },
  })
})
