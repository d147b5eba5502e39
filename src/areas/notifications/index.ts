import type { Area } from '#platform/area.ts'
import { publishDueAnnouncements, tellEverybodyJob } from './announcements/jobs.ts'
import { announcementDraftRoutes, announcementRoutes, newsRoutes } from './announcements/routes.ts'
import { tellOfImpersonation } from './impersonation.ts'
import { sealedMailPasswords } from './mail-servers/actions.ts'
import { mailServerRoutes } from './mail-servers/routes.ts'
import { bulkMailRoutes } from './mails/bulk.ts'
import { addressExists, forgetMailsOfOld, sendMailJob } from './mails/jobs.ts'
import { mailPasswordReset, mailVerification } from './mails/links.ts'
import { mailRoutes } from './mails/routes.ts'
import { mailSettings } from './mails/settings.ts'
import { stopRoutes } from './mails/stop-routes.ts'
import { reportTemplateJob } from './mails/templates/jobs.ts'
import { mailTemplateRoutes } from './mails/templates/routes.ts'
import { erase, personalData } from './personal-data.ts'
import { preferenceRoutes } from './preferences/routes.ts'
import { notificationRoutes } from './routes.ts'
import { securityJobs } from './security.ts'
import { streamRoutes } from './stream/routes.ts'
import { timeline } from './timeline.ts'
import { tellOfRefusedVatNumber } from './vat-numbers.ts'

export { type Attention, type Notice, notify, notifyAdmins, notifyAll } from './actions.ts'
export { hasMailServer } from './mail-servers/transport.ts'
export { mailLink } from './mails/actions.ts'
export { invoiceIdIn, payTokenOf } from './mails/pay-links.ts'
export { mailFateOf } from './mails/queries.ts'
export type { MailFate } from './mails/rules.ts'
export { forgetMails } from './personal-data.ts'
export { countUnread, type DiscordNotice, listForDiscord, listOftenTold } from './queries.ts'
export { removeRecipients } from './removal.ts'
export { tellLive } from './stream/live.ts'
export { type Failure, MONEY_TOPICS } from './texts/attention.ts'
export {
  consentTexts,
  invoiceTexts,
  PURPOSES,
  paymentFailureText,
  purposesIn,
  signInTexts,
} from './texts/index.ts'
export {
  HOUSE_REASONS,
  type HouseReason,
  type LineTexts,
  type PrintedTexts,
  type Reason,
  type ReasonKey,
  type ReasonTexts,
  type SoldCycle,
} from './texts/invoices.ts'
export {
  CREDIT_REASONS,
  type Facts,
  type Kind,
  PAYMENT_FAILURES,
  type PaymentFailure,
} from './texts/kinds.ts'
export type { SignInTexts } from './texts/sign-in.ts'

export const notifications: Area = {
  name: 'notifications',
  sealed: [sealedMailPasswords],
  routes: [
    notificationRoutes,
    streamRoutes,
    preferenceRoutes,
    mailServerRoutes,
    mailRoutes,
    mailTemplateRoutes,
    bulkMailRoutes,
    stopRoutes,
    announcementRoutes,
    announcementDraftRoutes,
    newsRoutes,
  ],
  jobs: [
    sendMailJob,
    reportTemplateJob,
    tellEverybodyJob,
    publishDueAnnouncements,
    addressExists,
    forgetMailsOfOld,
    mailVerification,
    mailPasswordReset,
    tellOfImpersonation,
    tellOfRefusedVatNumber,
    ...securityJobs,
  ],
  settings: [mailSettings],
  permissions: [
    { key: 'announcements:read', description: 'See announcements and their delivery' },
    {
      key: 'announcements:write',
      description: 'Write, schedule, correct and send announcements to customers',
    },
  ],
  personalData,
  purposes: ['notifications.messages'],
  timeline,
  timelineNeeds: ['invoices:read', 'services:read'],
  erase,
}
