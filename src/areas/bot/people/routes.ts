import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { originOf } from '#tenants'
import { firstNameIn } from '#users'
import { listManagedRoles } from '../role-mappings/queries.ts'
import { listEntitled } from '../roles/queries.ts'
import { MemberParams } from '../snowflake.ts'
import { countServices, findLinked } from './queries.ts'
import { Member, MemberRoles } from './schema.ts'

const tags: Tag[] = ['Bot']
/** The page of the panel where people link their account. */
const LINK_PATH = '/account/security'

/** What bots may know about one member: never an address, never an amount. */
export const peopleRoutes: Routes = (app, { config }) => {
  app.route({
    method: 'GET',
    url: '/v1/bot/users/:discordId',
    config: { access: 'bot', permission: 'users:read' },
    schema: {
      tags,
      summary: 'Get the account of a member and the number of their active services',
      params: MemberParams,
      response: { 200: Member },
    },
    async handler({ db, tenantId, params: { discordId } }) {
      const linkUrl = `${await originOf(db, config, tenantId)}${LINK_PATH}`
      const linked = await findLinked(db, { tenantId, discordId })
      if (!linked) {
        const nobody = { userId: null, firstName: null, linkedAt: null }
        return { discordId, linked: false, ...nobody, activeServices: 0, products: [], linkUrl }
      }
      const { userId, linkedAt, name } = linked
      const products = await countServices(db, { tenantId, userId })
      const activeServices = products.reduce((sum, it) => sum + it.activeServices, 0)
      const person = { userId, firstName: firstNameIn(name), linkedAt }
      return { discordId, linked: true, ...person, activeServices, products, linkUrl }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/bot/users/:discordId/roles',
    config: { access: 'bot', permission: 'roles:read' },
    schema: {
      tags,
      summary: 'Get the roles of a member to add and to remove',
      params: MemberParams,
      response: { 200: MemberRoles },
    },
    async handler({ db, tenantId, params: { discordId } }) {
      const linked = (await findLinked(db, { tenantId, discordId })) !== undefined
      const wanted = await listEntitled(db, { tenantId, discordIds: [discordId] })
      const managed = await listManagedRoles(db, tenantId)
      const roles = wanted.map(({ guildId, roleId }) => ({ guildId, roleId }))
      const has = (role: (typeof managed)[number]) =>
        roles.some((it) => it.guildId === role.guildId && it.roleId === role.roleId)
      return { discordId, linked, roles, remove: managed.filter((it) => !has(it)) }
    },
  })
}
