import type { AnyRoute } from '@tanstack/react-router'

/** Catalogue, rules of money, machines, integrations, system and settings. */
export const routesB = [] as const satisfies readonly AnyRoute[]
