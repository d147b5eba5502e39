import type { Area } from '#platform/area.ts'
import { tellOfImpersonation } from './impersonation.ts'
import { sendMail } from './mails/jobs.ts'
import { mailPasswordReset, mailVerification } from './mails/links.ts'
import { mailRoutes } from './mails/routes.ts'
import { erase, personalData } from './personal-data.ts'
import { notificationRoutes } from './routes.ts'
import { securityJobs } from './security.ts'
import { timeline } from './timeline.ts'
import { tellOfRefusedVatNumber } from './vat-numbers.ts'

export { type Attention, type Notice, notify, notifyAdmins, notifyAll } from './actions.ts'
export { mailLink } from './mails/actions.ts'
export { mailSentAt } from './mails/queries.ts'
export { forgetMails } from './personal-data.ts'
export type { Facts, Kind } from './texts/kinds.ts'
export { PURPOSE_LANGUAGES, PURPOSES, purposesIn } from './texts/purposes/index.ts'
export { SIGN_IN_LANGUAGES, type SignInTexts, signInTexts } from './texts/sign-in.ts'

export const notifications: Area = {
  name: 'notifications',
  routes: [notificationRoutes, mailRoutes],
  jobs: [
    sendMail,
    mailVerification,
    mailPasswordReset,
    tellOfImpersonation,
    tellOfRefusedVatNumber,
    ...securityJobs,
  ],
  personalData,
  purposes: ['notifications.messages'],
  timeline,
  erase,
}
