import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from '#app/config.ts'
import { apiAt } from './demo/client.ts'
import { type Filled, fillShop } from './demo/fill.ts'
import { goBack, liveThroughMonths } from './demo/history.ts'
import { type Installation, SECOND_HOST, startInstallation } from './demo/installation.ts'
import { type Login, purchase } from './demo/purchase.ts'
import { type Report, reportTo } from './demo/report.ts'
import { ensureSecondTenant, fillSecondTenant, type SecondTenant } from './demo/second-tenant.ts'

/**
 * The main job on a fresh machine: starts everything, fills a shop, buys a game server, and goes
 * on serving. With `--once` it ends after the purchase.
 */
const once = process.argv.includes('--once')
const report = reportTo((line) => console.log(line))

/** What the customer with a history has: two that are paid for, and one that is not. */
const PLANS = ['minecraft-paper', 'valheim', 'teamspeak']

type People = { admin: Login; customer: Login; regular: Login; secondTenant: SecondTenant }

async function run(): Promise<Installation> {
  report.title('Starting')
  const installation = await startInstallation(process.env, report)
  try {
    await showPurchase(installation)
  } catch (error) {
    await installation.stop()
    throw error
  }
  return installation
}

async function showPurchase(installation: Installation): Promise<void> {
  const { service, url, provider, panel, secret, config } = installation
  const people = peopleOf(config.admin, secret)
  const { admin, customer, regular, secondTenant } = people
  const shop = apiAt({ url })

  report.line(`  The shop: ${url}`)
  report.title('The administrator fills the shop')
  await ensureSecondTenant(service.deps, secondTenant)
  const signIn = async () => shop.as((await shop.post('/v1/auth/login', admin)).accessToken)
  let staff = await report.step('signs in', signIn)
  const isFresh = await goBack(service.deps, staff, provider)
  // What is signed in now is not yet valid at the beginning of the history.
  if (isFresh) staff = await signIn()
  const filled = await fillShop(staff, { provider, panel }, report)
  if (isFresh) {
    const planIds = PLANS.flatMap(
      (slug) => filled.products.find((it) => it.slug === slug)?.planId ?? [],
    )
    const history = { login: regular, gatewayId: filled.gatewayId, planIds }
    await report.step('lives through two months with a customer', () =>
      liveThroughMonths(shop, staff, history, { clock: service.deps.clock, provider }),
    )
  }
  await report.step('fills a second tenant, with people of its own', () =>
    fillSecondTenant({ url, panel, provider }, secondTenant),
  )

  report.title('A player buys a game server')
  const beganMs = performance.now()
  const [{ slug } = { slug: '' }] = filled.products
  await purchase(shop, customer, { slug, gatewayId: filled.gatewayId }, report)
  const boughtMs = performance.now()
  const file = writeAddresses(installation, people, filled)
  report.line()
  report.line(`  From the first request to an active server: ${seconds(boughtMs - beganMs)}`)
  report.line(`  From nothing to here: ${seconds(boughtMs)}`)
  if (!once) showAddresses(installation, people, file, report)
}

function peopleOf(admin: Login | null, secret: Installation['secret']): People {
  if (!admin) throw new Error('The demo has an administrator')
  const login = (email: string) => ({ email, password: secret(`password of ${email}`) })
  return {
    admin,
    customer: login('player@example.com'),
    regular: login('regular@example.com'),
    secondTenant: {
      host: SECOND_HOST,
      admin: login('admin@second.example'),
      customer: login('player@second.example'),
    },
  }
}

/** Writes what others who try the demo out want to know, and answers where. */
function writeAddresses(
  { url, provider, panel, config }: Installation,
  { admin, customer, regular, secondTenant }: People,
  { gatewayId, nodeId, products }: Filled,
): string {
  const file = path.join(config.dataDir, 'demo.json')
  const { email, password } = admin
  const addresses = {
    baseUrl: url,
    admin: { email, password },
    customer,
    regular,
    provider: { baseUrl: provider.url, gatewayId, controlToken: provider.controlToken },
    panel: { baseUrl: panel.url, nodeId, controlToken: panel.controlToken },
    secondTenant,
    products,
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return file
}

function showAddresses(
  { url, provider, panel }: Installation,
  { admin, customer, regular, secondTenant }: People,
  file: string,
  { title, line }: Report,
): void {
  const show = (name: string, value: string) => line(`  ${name.padEnd(24)}${value}`)
  const login = ({ email, password }: Login) => `${email}  ${password}`
  title('Serving until Ctrl-C')
  show('the shop', url)
  show('API and its reference', `${url}/v1/docs`)
  show('administrator', login(admin))
  show('customer', login(customer))
  show('customer for two months', login(regular))
  show('payment provider', provider.url)
  show('game panel', panel.url)
  show('second tenant', `Host: ${secondTenant.host}`)
  show('  its administrator', login(secondTenant.admin))
  show('  its customer', login(secondTenant.customer))
  show('these details', file)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

async function serveUntilStopped(installation: Installation): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  await installation.stop()
}

try {
  const installation = await run()
  if (once) await installation.stop()
  else await serveUntilStopped(installation)
} catch (error) {
  if (error instanceof ConfigError) console.error(error.message)
  else console.error(`\nThe demo failed: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
