import fs from 'node:fs'
import path from 'node:path'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { ROOT } from '#platform/root.ts'
import { SCRIPT } from './layout.ts'

const content = fs.readFileSync(path.join(ROOT, 'src/areas/oidc/pages/passkey.js'), 'utf8')

/** The one script of the sign-in pages. */
export const scriptRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: SCRIPT,
    config: { access: 'public', hidden: true },
    async handler(_request, reply) {
      reply.header('cache-control', 'public, max-age=3600')
      return sendFile(reply, 'text/javascript; charset=utf-8', content)
    },
  })
}
