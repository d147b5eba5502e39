import { createRootRoute } from '@tanstack/react-router'
import { Crashed } from './crashed.tsx'

export const root = createRootRoute({ errorComponent: Crashed })
