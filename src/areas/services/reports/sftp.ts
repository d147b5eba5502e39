import type { ServerKeeper } from '#platform/area.ts'
import { findMemberOnPanel, findServiceOfServer } from './queries.ts'

/**
 * Whether a user whom the panel has admitted by SFTP may connect: not to a server that is suspended or
 * about to be, nor as a member without `files`, even if the panel does not know that yet. Users that we
 * did not add to the server are left to the panel.
 */
export const sftpVerdict: ServerKeeper['sftpVerdict'] = async (db, { panelUser, ...server }) => {
  const service = await findServiceOfServer(db, server)
  if (!service) return 'welcome'
  const { tenantId, id: serviceId, suspendedAt, suspendReasons, endedAt } = service
  if (suspendedAt || endedAt || suspendReasons.length > 0) return 'suspended'
  const member = await findMemberOnPanel(db, { tenantId, serviceId, panelUser })
  return !member || member.permissions?.includes('files') ? 'welcome' : 'refused'
}
