import type { ConsentTexts } from '../language.ts'

/** What customers agree to, in Portuguese. */
export const consent: ConsentTexts = {
  immediateStart:
    'Solicito que a execução da minha encomenda comece de imediato, antes do fim do prazo de livre ' +
    'resolução de 14 dias. Sei que, se resolver o contrato, pago a parte do serviço prestada até então.',
}
