import type { Area, UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { sendMail } from './mails/jobs.ts'
import { mailPasswordReset, mailVerification } from './mails/links.ts'
import { mailRoutes } from './mails/routes.ts'
import { listNotifications } from './queries.ts'
import { notificationRoutes } from './routes.ts'
import { securityJobs } from './security.ts'

export { type Attention, type Notice, notify, notifyAdmins } from './actions.ts'
export { mailLink } from './mails/actions.ts'
export { mailSentAt } from './mails/queries.ts'
export type { Facts, Kind } from './texts/kinds.ts'
export { SIGN_IN_LANGUAGES, signInTexts } from './texts/sign-in.ts'

const EXPORTED = 10_000

async function personalData(db: Db, user: UserKey) {
  const notices = await listNotifications(db, user, EXPORTED)
  // A link may open something by itself, an invitation for instance: it is no data to hand around.
  return { notifications: notices.map(({ link: _, ...notice }) => notice) }
}

export const notifications: Area = {
  name: 'notifications',
  routes: [notificationRoutes, mailRoutes],
  jobs: [sendMail, mailVerification, mailPasswordReset, ...securityJobs],
  personalData,
}
