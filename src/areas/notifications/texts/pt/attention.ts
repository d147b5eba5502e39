import { plural } from '#lib/plural.ts'
import { type AttentionTexts, detailsIn, failureIn, type ReportWords } from '../attention.ts'
import { dayText } from '../days.ts'

function day(value: string): string {
  return dayText(value, 'pt-PT')
}

const words: ReportWords = {
  locale: 'pt',
  colon: ': ',
  labels: {
    amountCents: 'Valor',
    accountId: 'Conta',
    askedCents: 'Esperado',
    attemptId: 'Tentativa',
    code: 'Código',
    count: 'Quantidade',
    disputeId: 'Contestação',
    eventId: 'Evento',
    eventKey: 'Evento do prestador',
    gatewayId: 'Gateway de pagamento',
    message: 'Resposta',
    name: 'Nome',
    objectId: 'Identificador no prestador',
    paymentId: 'Pagamento',
    receivedCents: 'Recebido',
    refundCents: 'Reembolsado',
    refundId: 'Reembolso',
    requestedCents: 'Pedido',
    state: 'Estado',
    statementId: 'Extrato bancário',
    type: 'Tipo',
    userId: 'Cliente',
    why: 'Diferença',
  },
  failures: {
    account_busy: 'A conta do cliente no painel está a ser criada por outro processo.',
    backups_in_use: 'O servidor tem mais cópias de segurança do que o novo produto permite.',
    country_unknown: 'O país do cliente é desconhecido.',
    databases_in_use: 'O servidor tem mais bases de dados do que o novo produto permite.',
    disk_in_use: 'O servidor usa mais disco do que o novo produto tem.',
    given_up: 'Foi cancelado por um operador.',
    no_blueprint: 'O produto não tem aprovisionamento.',
    no_capacity: 'Não há espaço disponível.',
    no_customer: 'O cliente já não existe.',
    no_egg: 'O egg do produto não está neste painel.',
    no_panel: 'Nenhum dos painéis do produto tem o egg.',
    node_deleted: 'A ligação ao painel foi eliminada.',
    not_done: 'O painel confirmou a alteração, mas não a fez.',
    ports_in_use: 'O servidor tem mais portas do que o novo produto permite.',
    server_gone: 'O servidor não está no painel.',
    service_ended: 'O serviço terminou ou está prestes a terminar.',
    tax_rate_unknown: 'Não há taxa de IVA para o país do cliente.',
    trial_used: 'Outro cliente já experimentou este produto com a mesma conta no painel.',
    unexpected: 'Não foi possível criar a fatura. O registo indica o motivo.',
    unmanaged: 'O servidor não está num painel ligado. Trate dele manualmente.',
  },
}

const GOALS = {
  active: 'iniciar',
  suspended: 'suspender',
  ended: 'desligar',
  deleted: 'eliminar',
} as const

const TASKS = {
  create: 'entregar',
  change: 'alterar',
  suspend: 'suspender',
  resume: 'levantar a suspensão de',
  end: 'terminar',
} as const

const DELIVERIES = {
  create: 'A entrega',
  change: 'A alteração',
  suspend: 'A suspensão',
  resume: 'O fim da suspensão',
  end: 'O fim',
} as const

const DISABLED = {
  gone: 'Respondeu 410 Gone: já não aceita eventos.',
  failing: 'Os envios falham há cinco dias.',
} as const

/** What administrators are told of their work, in Portuguese. */
export const attention: AttentionTexts = {
  renewal_failed: (it) => ({
    title: `Não foi possível renovar ${it.others > 0 ? `${it.name} e mais ${it.others}` : it.name}`,
    body: failureIn(words, it),
  }),
  reinstall_failed: (it) => ({
    title: `Não foi possível reinstalar ${it.name}`,
    body: `A reinstalação de ${it.name} no painel falhou.`,
  }),
  upgrade_failed: (it) => ({
    title: `Não foi possível alterar ${it.name}`,
    body: failureIn(words, it),
  }),
  task_created: (it) => ({
    title: `Nova tarefa: ${TASKS[it.action]} ${it.name}`,
    body: `O prazo termina a ${day(it.dueOn)}.`,
  }),
  delivery_failed: ({ name, action, code, detail }) =>
    code === 'unconfirmed'
      ? {
          title: `${DELIVERIES[action]} de ${name} não teve confirmação`,
          body: `O seu sistema em ${detail} não confirmou a tempo. Verifique-o; a página do serviço mostra cada tentativa.`,
        }
      : {
          title: `${DELIVERIES[action]} de ${name} falhou`,
          body:
            code === 'unanswered'
              ? `O seu sistema não confirmou em três dias de tentativas. Último resultado: ${detail}`
              : `Resposta do seu sistema: ${detail}`,
        },
  service_stuck: (it) => ({
    title: `Não foi possível ${GOALS[it.goal]} o servidor de ${it.name}`,
    body: failureIn(words, it),
  }),
  setup_failed: (it) => ({
    title: `Não foi possível instalar ${it.name}`,
    body: failureIn(words, it),
  }),
  setup_waits: (it) => ({
    title: `${it.name} aguarda instalação`,
    body: failureIn(words, it),
  }),
  vat_number_refused: (it) => ({
    title: 'Um número de IVA não consta do registo da UE',
    body: `${it.email}: ${it.vatNumber}. As próximas faturas incluem IVA.`,
  }),
  eggs_changed: ({ eggs, products }) => ({
    title: products.some(({ faults }) => faults !== '')
      ? 'Um egg alterado impede novos servidores de alguns produtos'
      : 'Um egg usado por produtos foi alterado',
    body: [
      `Eggs: ${eggs.join(', ')}`,
      ...products.map(
        ({ name, faults }) =>
          `${name}: ${faults || 'é possível criar novos servidores como até aqui'}`,
      ),
    ].join('\n'),
  }),
  product_not_sold: ({ name, faults }) => ({
    title: `${name} já não está à venda`,
    body: [
      'Já não é possível entregá-lo, pelo que a loja não o mostra nem o vende. Os serviços existentes continuam.',
      ...faults,
    ].join('\n'),
  }),
  endpoint_disabled: (it) => ({
    title: `O webhook ${it.host} foi desativado`,
    body: `${DISABLED[it.reason]} Os novos eventos são guardados e podem ser reenviados.`,
  }),
  mail_server_failing: (it) => ({
    title: `O servidor de e-mail ${it.host} não aceita e-mails`,
    body: `O envio dos e-mails é repetido durante mais de um dia. Verifique as definições do servidor de e-mail. A resposta foi: ${it.answer}`,
  }),
  mail_text_not_used: (it) => ({
    title: 'O seu texto de um e-mail não foi usado',
    body: `Foi enviado o texto padrão em vez de «${it.subject}» (${it.language}): a variável {{${it.placeholder}}} não tem valor nesse e-mail.`,
    action: 'Ver o texto',
  }),
  import_not_undone: ({ file, inUse }) => ({
    title: `A importação de ${file} não foi desfeita`,
    body: inUse
      ? 'Os respetivos dados já estão a ser usados. A página da importação indica quais.'
      : 'Todas as tentativas de a desfazer falharam e nada foi removido. O registo indica o motivo. Pode tentar novamente.',
  }),
  warning_refused: (it) => ({
    title: `Os nossos avisos sobre ${it.name} não chegam`,
    body:
      it.step === 'end'
        ? `Não conseguimos avisar o cliente por e-mail de que o serviço termina por falta de pagamento. Mesmo assim, vai terminar, mas nunca antes de ${day(it.on)}. Até lá, pode contactar o cliente de outra forma ou reenviar o e-mail.`
        : `Não conseguimos avisar o cliente por e-mail de que o servidor será suspenso por falta de pagamento. Mesmo assim, vai ser suspenso, mas nunca antes de ${day(it.on)}. Até lá, pode contactar o cliente de outra forma ou reenviar o e-mail.`,
  }),
  failed_not_refunded: ({ count }) => ({
    title: `${count} ${plural('pt-PT', count, 'serviço com falha não é reembolsado', 'serviços com falha não são reembolsados')} automaticamente`,
    body: 'O limite diário de reembolsos automáticos foi atingido, ou um reembolso não é possível. Verifique se o painel funciona e, depois, tente novamente ou reembolse os serviços.',
  }),
  import_reconciled: (it) => ({
    title: `Os primeiros ${it.days} dias após a importação de ${it.file} estão conferidos`,
    body:
      it.unexplained === 0
        ? `Os valores faturados aos ${it.customers} clientes correspondem à pré-visualização ou a diferença está explicada.`
        : `O valor faturado a ${it.unexplained} de ${it.customers} clientes difere da pré-visualização sem motivo conhecido. Verifique-os.`,
  }),
  bank_entries_open: (it) => ({
    title: 'Chegou uma transferência bancária com uma referência desconhecida',
    ...detailsIn(words, it),
  }),
  books_differ: (it) => ({
    title: 'Os registos de um prestador de pagamentos diferem dos nossos',
    ...detailsIn(words, it),
  }),
  books_not_read: (it) => ({
    title: 'Um prestador de pagamentos recusou o acesso à sua lista de pagamentos',
    ...detailsIn(words, it),
  }),
  change_not_credited: (it) => ({
    title: 'Uma mudança de plano não foi totalmente creditada: há um pagamento contestado',
    ...detailsIn(words, it),
  }),
  dispute_fee_currency: (it) => ({
    title: 'Uma taxa de contestação noutra moeda não foi registada',
    ...detailsIn(words, it),
  }),
  event_not_applied: (it) => ({
    title: 'Não foi possível processar um evento de um prestador de pagamentos',
    ...detailsIn(words, it),
  }),
  event_of_other_mode: (it) => ({
    title: 'Um gateway de pagamento recebeu um evento do outro modo',
    ...detailsIn(words, it),
  }),
  gateway_unhealthy: (it) => ({
    title: 'As credenciais de um gateway de pagamento já não são aceites',
    ...detailsIn(words, it),
  }),
  late_payment: (it) => ({
    title: 'Chegou um pagamento para uma fatura que já não estava em aberto',
    ...detailsIn(words, it),
  }),
  payment_disputed: (it) => ({ title: 'Um pagamento foi contestado', ...detailsIn(words, it) }),
  payment_mismatch: (it) => ({
    title: 'Um pagamento difere do que foi pedido e não foi registado',
    ...detailsIn(words, it),
  }),
  payment_not_started: (it) => ({
    title: 'Não foi possível iniciar um pagamento',
    ...detailsIn(words, it),
  }),
  refund_beyond_credit: (it) => ({
    title: 'Um reembolso no prestador foi superior ao saldo do cliente',
    ...detailsIn(words, it),
  }),
  refund_by_hand: (it) => ({
    title: 'Um reembolso tem de ser pago manualmente',
    ...detailsIn(words, it),
  }),
  refund_failed: (it) => ({
    title: 'Um reembolso falhou e foi adicionado ao crédito do cliente',
    ...detailsIn(words, it),
  }),
  refund_mismatch: (it) => ({
    title: 'Um reembolso não corresponde ao pagamento e não foi registado',
    ...detailsIn(words, it),
  }),
  refund_not_sent: (it) => ({
    title: 'Não foi possível enviar um reembolso ao prestador',
    ...detailsIn(words, it),
  }),
  webhook_not_registered: (it) => ({
    title: 'Não foi possível registar o webhook num prestador de pagamentos',
    ...detailsIn(words, it),
  }),
}
