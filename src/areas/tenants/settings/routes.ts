import type { IncomingHttpHeaders } from 'node:http'
import type { Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { localeOf } from '#platform/pages/locale.ts'
import { openSetting } from '../settings.ts'
import { changeSettings } from './actions.ts'
import { describedSettings } from './described.ts'
import { SETTINGS_LANGUAGES, settingsTexts } from './labels/index.ts'
import { listSettings } from './queries.ts'
import { defaultsOf, shownValues } from './rules.ts'
import { changeSchema, type SettingsView, settingsSchema } from './schema.ts'

const tags: Tag[] = ['Admin - Settings & Tenants']

/** The typed settings of every area, for the staff of one tenant. */
export const settingsRoutes: Routes = (app, { areas, secrets }) => {
  const sections = areas.flatMap((area) => area.settings ?? [])
  const Settings = settingsSchema(sections)

  app.route({
    method: 'GET',
    url: '/v1/admin/settings',
    config: { access: 'admin', permission: 'settings:read' },
    schema: {
      tags,
      summary:
        'List all settings with their description, limits and defaults; secret ones are masked',
      response: { 200: Settings },
    },
    handler: ({ db, tenantId, headers }) => viewOf(db, tenantId, headers),
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/settings',
    config: { access: 'admin', permission: 'settings:write', versioned: ['values'] },
    schema: {
      tags,
      summary: 'Change settings; they apply from the next request on',
      description:
        'Omitted settings stay as they are; null restores the default. `SettingsValues` explains the fields.',
      body: changeSchema(sections),
      response: { 200: Settings },
    },
    handler: ({ body, tenantId, now, transact, headers }) =>
      transact(async (tx) => {
        await changeSettings(tx, { secrets, sections }, { tenantId, change: body }, now)
        return viewOf(tx, tenantId, headers)
      }),
  })

  async function viewOf(
    db: Db,
    tenantId: string,
    { 'accept-language': header }: IncomingHttpHeaders,
  ): Promise<SettingsView> {
    const rows = await listSettings(db, tenantId)
    const bySection = new Map(rows.map((row) => [row.section, row]))
    const views = sections.map((section) => {
      const row = bySection.get(section.name)
      const open = (field: string, sealed: string) =>
        openSetting(secrets, { tenantId, section: section.name, field }, sealed) ?? ''
      const values = shownValues(section, row?.values ?? {}, open)
      return { name: section.name, values, updatedAt: row?.updatedAt ?? null, section }
    })
    const wanted = { asked: null, header, fallback: 'en', spoken: SETTINGS_LANGUAGES }
    return {
      fields: describedSettings(sections, settingsTexts(localeOf(wanted))),
      values: Object.fromEntries(views.map(({ name, values }) => [name, values])),
      defaults: Object.fromEntries(views.map(({ name, section }) => [name, defaultsOf(section)])),
      updatedAt: Object.fromEntries(views.map(({ name, updatedAt }) => [name, updatedAt])),
    }
  }
}
