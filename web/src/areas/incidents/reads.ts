import type { components } from '@moorage/client'
import { client, read } from '../../api/client.ts'

export type OwnIncident = components['schemas']['OwnIncident']

/** The first part of the key: a notification of an incident makes the read out of date. */
const NAME = 'incidents'

/** The incidents and planned maintenance that affect services of the person. */
export const ownIncidents = read([NAME], (signal) => client.GET('/v1/incidents', { signal }))
