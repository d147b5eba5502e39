import type { Area } from '#platform/area.ts'
import { deleteErasedFiles, eraseOldFiles } from './attachments/jobs.ts'
import { attachmentRoutes, uploadRoutes } from './attachments/routes.ts'
import { departmentRoutes, supportRoutes } from './departments/routes.ts'
import { faults } from './faults.ts'
import { closeAnsweredTickets, reopenHeld } from './jobs.ts'
import { objectsAmong } from './named.ts'
import {
  tellOfAssignment,
  tellOfClosing,
  tellOfOpening,
  tellOfReopening,
  tellOfReply,
} from './notices.ts'
import { participantRoutes } from './participants/routes.ts'
import { erase, personalData } from './personal-data.ts'
import { savedReplyRoutes } from './saved-replies/routes.ts'
import { supportSettings } from './settings.ts'
import { tagRoutes } from './tags/routes.ts'
import { adminTicketRoutes, ticketActionRoutes } from './tickets/admin-routes.ts'
import { ticketMessageRoutes, ticketRoutes } from './tickets/routes.ts'
import { timeline } from './timeline.ts'

export {
  ticketAssigned,
  ticketClosed,
  ticketOpened,
  ticketReopened,
  ticketReplied,
} from './events.ts'
export { staffOf } from './tickets/locking.ts'
export { countWaitingTickets, findStaffTicket, findTicketsNamed } from './tickets/queries.ts'
export { numberIn as ticketNumberIn, statusOf as ticketStatusOf } from './tickets/rules.ts'
export { Priority as TicketPriority, Status as TicketStatus } from './tickets/schema.ts'

export const support: Area = {
  name: 'support',
  objectsAmong,
  routes: [
    ...[supportRoutes, ticketRoutes, ticketMessageRoutes],
    ...[adminTicketRoutes, ticketActionRoutes, participantRoutes, departmentRoutes],
    ...[tagRoutes, savedReplyRoutes, uploadRoutes, attachmentRoutes],
  ],
  jobs: [
    ...[tellOfOpening, tellOfReply, tellOfAssignment, tellOfClosing, tellOfReopening],
    ...[reopenHeld, closeAnsweredTickets, deleteErasedFiles, eraseOldFiles],
  ],
  settings: [supportSettings],
  permissions: [
    { key: 'tickets:read', description: 'See the tickets of the departments of one’s groups' },
    { key: 'tickets:write', description: 'Answer, assign, close and open these tickets' },
    { key: 'support:read', description: 'See the departments of support, and all shared replies' },
    { key: 'support:write', description: 'Add, change and archive departments and shared replies' },
  ],
  personalData,
  purposes: ['support.tickets', 'support.saved-replies'],
  timeline,
  timelineNeeds: ['tickets:read'],
  erase,
  faults,
}
