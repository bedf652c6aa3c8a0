import { contactPage, helpPage, privacyPage } from './pages/about.js'
import { checkPage } from './pages/check.js'
import { documentPage } from './pages/document.js'
import { exportPage } from './pages/export.js'
import { findPage } from './pages/find.js'
import { frontPage } from './pages/front.js'
import { incomingItemPage, outgoingItemPage } from './pages/item.js'
import { documentsPage, incomingPage, outgoingPage, packagesPage } from './pages/lists.js'
import { loginPage } from './pages/login.js'
import { newPage } from './pages/new.js'
import { notifyDocumentPage, notifyPackagePage } from './pages/notify.js'
import { documentSettingsPage, packageSettingsPage } from './pages/object-settings.js'
import { organizationPage } from './pages/organization.js'
import { packagePage } from './pages/package.js'
import { sendDocumentPage, sendPackagePage } from './pages/send.js'
import { sendManyPage } from './pages/send-many.js'
import { settingsPage } from './pages/settings.js'
import { signDocumentPage, signManyPage, signPackagePage } from './pages/sign.js'
import { templatesPage } from './pages/templates.js'
import { unsubscribePage } from './pages/unsubscribe.js'
import { webhookPage } from './pages/webhook.js'
import type { Page } from './visit.js'

/** Every page by its address. */
export const PAGES: Readonly<Record<string, Page>> = {
  '/': frontPage,
  '/d/:id': documentPage,
  // Addresses of the production service, which are printed on its cards.
  '/show': documentPage,
  '/R': documentPage,
  '/d/:id/sign': signDocumentPage,
  '/d/:id/send': sendDocumentPage,
  '/d/:id/notify': notifyDocumentPage,
  '/d/:id/settings': documentSettingsPage,
  '/p/:packageId': packagePage,
  '/p/:packageId/sign': signPackagePage,
  '/p/:packageId/send': sendPackagePage,
  '/p/:packageId/notify': notifyPackagePage,
  '/p/:packageId/settings': packageSettingsPage,
  '/find': findPage,
  '/check': checkPage,
  '/help': helpPage,
  '/contact': contactPage,
  '/privacy': privacyPage,
  '/new': newPage,
  '/login': loginPage,
  '/send-many': sendManyPage,
  '/sign-many': signManyPage,
  '/export': exportPage,
  '/templates': templatesPage,
  '/documents': documentsPage,
  '/packages': packagesPage,
  '/incoming': incomingPage,
  '/incoming/:incomingId': incomingItemPage,
  '/outgoing': outgoingPage,
  '/outgoing/:outgoingId': outgoingItemPage,
  '/settings': settingsPage,
  '/organization': organizationPage,
  '/organization/webhooks/:webhookId': webhookPage,
  '/unsubscribe/:token': unsubscribePage,
}
