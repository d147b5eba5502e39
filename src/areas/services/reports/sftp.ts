import type { ServerKeeper } from '#platform/area.ts'
import { findMemberOnPanel, findServiceOfServer } from './queries.ts'

/**
 * Whether somebody whom the panel has let in by SFTP may come in: not to a server that is suspended or
 * to be, nor as a member without `files`, whether the panel has heard of that or not. Who is on the
 * server by the panel's own doing is the panel's to judge.
 */
export const sftpVerdict: ServerKeeper['sftpVerdict'] = async (db, { panelUser, ...server }) => {
  const service = await findServiceOfServer(db, server)
  if (!service) return 'welcome'
  const { tenantId, id: serviceId, suspendedAt, suspendReasons, endedAt } = service
  if (suspendedAt || endedAt || suspendReasons.length > 0) return 'suspended'
  const member = await findMemberOnPanel(db, { tenantId, serviceId, panelUser })
  return !member || member.permissions?.includes('files') ? 'welcome' : 'refused'
}
