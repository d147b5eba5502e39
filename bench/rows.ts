import pg from 'pg'
import { newId } from '#lib/id.ts'

/**
 * Gives a customer services, running ones as a shop has them. Written straight into the tables:
 * what they would have come from (orders, invoices) is not read by what is measured.
 */
export async function insertServices(url: string, userId: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set session_replication_role = replica`)
    const ids = { product_id: newId(), plan_id: newId(), node_id: newId() }
    const user_id = userId
    const found = await client.query('select tenant_id from users.users where id = $1', [userId])
    const tenant_id: string = found.rows[0].tenant_id
    const created_at = new Date().toISOString()
    const shared = { tenant_id, created_at }
    const insert = (table: string, row: object) => insertRow(client, table, { ...shared, ...row })
    await insert('store.products', { id: ids.product_id, slug: 'paper', name: 'Minecraft Paper' })
    await insert('store.plans', {
      ...{ id: ids.plan_id, product_id: ids.product_id, name: 'Monthly', ...MONTHLY },
    })
    await insert('panel.nodes', {
      ...{ id: ids.node_id, name: 'Panel', url: 'https://panel.example.net', type: 'pterodactyl' },
      ...{ sealed_api_key: '-', masked_api_key: '-' },
    })
    for (let number = 1; number <= count; number += 1) {
      const id = newId()
      await insert('services.services', { id, user_id, ...ids, ...serviceNumber(number) })
      await insert('services.members', {
        ...{ service_id: id, user_id, role: 'owner' },
        permissions: ['view', 'power', 'console', 'files', 'backups', 'settings'],
      })
    }
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

const MONTHLY = { interval: 'month', interval_count: 1, price_cents: 899, currency: 'EUR' }

function serviceNumber(number: number): object {
  const from = '2026-01-15T12:00:00.000Z'
  return {
    ...{ order_id: newId(), order_item_id: newId(), invoice_id: newId(), ...MONTHLY },
    ...{ name: `World ${number}`, value_cents: 899, external_id: `svc-${newId()}` },
    environment: JSON.stringify({ MINECRAFT_VERSION: '1.21.4', SERVER_JARFILE: 'server.jar' }),
    ...{ anchor_at: from, current_period_start: from },
    current_period_end: '2026-02-15T12:00:00.000Z',
    ...{ server_id: number, server_uuid: newId(), identifier: `1a2b3c${number + 10}` },
    address: `fra-01.example.net:${25_565 + number}`,
    ...{ paid_at: from, activated_at: from },
  }
}

async function insertRow(client: pg.Client, table: string, row: object): Promise<void> {
  const columns = Object.keys(row)
  const places = columns.map((_, index) => `$${index + 1}`)
  const text = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`
  await client.query(text, Object.values(row))
}
