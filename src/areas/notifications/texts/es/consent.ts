import type { ConsentTexts } from '../language.ts'

/** What customers agree to, in Spanish. */
export const consent: ConsentTexts = {
  immediateStart:
    'Solicito que la ejecución de mi pedido comience de inmediato, antes de que termine el plazo de ' +
    'desistimiento de 14 días. Sé que, si desisto, tendré que pagar la parte del servicio prestada ' +
    'hasta ese momento.',
}
