import { millis } from '#lib/time.ts'
import { until } from './app.ts'
import type { Answer } from './client.ts'
import type { GameShop } from './game-shop.ts'
import type { Person } from './people.ts'

type Body = Answer['body']

/** Watches services of a shop as operators see them, and lets time go by for what waits. */
export function watchOf({ app, admin, becameOneSale }: GameShop) {
  /** All services of a customer as operators see them, newest first. */
  async function servicesOf(player: Person): Promise<Body[]> {
    const { data } = (await player.get('/v1/services')).body
    const answers = data.map(({ id }: Body) => admin.get(`/v1/admin/services/${id}`))
    return (await Promise.all(answers)).map(({ body }) => body)
  }

  /** Moves the clock to whatever is next until the services of a customer are as wanted. */
  function inTheEnd<T>(player: Person, what: string, as: (services: Body[]) => T | false) {
    let movedTo = ''
    return until(what, async () => {
      const services = await servicesOf(player)
      const seen = as(services)
      if (seen) return seen
      const now = millis(app.deps.clock.now())
      const [next] = services
        .flatMap(({ provisioning, transition }) => provisioning?.nextAt ?? transition?.nextAt ?? [])
        .toSorted((a, b) => millis(a) - millis(b))
      // What the clock was moved to once is being worked on.
      if (next && next !== movedTo) {
        movedTo = next
        await app.advance(Math.max(0, Math.ceil((millis(next) - now) / 1000)) + 3)
      }
      return false
    })
  }

  const newestIs = (player: Person, what: string, as: (service: Body) => boolean): Promise<Body> =>
    inTheEnd(player, what, ([service]) => service && as(service) && service)

  async function wasTold(person: Person, kind: string, link: string): Promise<void> {
    await until(`${kind} of ${link} is told`, async () => {
      const { body } = await person.get('/v1/notifications')
      return body.data.some((notice: Body) => notice.kind === kind && notice.link === link)
    })
  }

  return {
    ...{ servicesOf, inTheEnd, newestIs, wasTold },
    becomes: (player: Person, status: string) =>
      newestIs(player, `the service is ${status}`, (service) => service.status === status),
    async endsAsOneSale(player: Person, placed: Body): Promise<void> {
      await inTheEnd(player, 'all services are active', (services) =>
        services.every(({ status }) => status === 'active'),
      )
      await becameOneSale(player, placed)
    },
    adminsWereTold: (service: Body) =>
      wasTold(admin, 'admin_attention', `/admin/servers/${service.id}`),
  }
}
