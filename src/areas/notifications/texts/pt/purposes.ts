import type { Purpose } from '#platform/area.ts'
import type { purposes as first } from '../en/purposes.ts'

/** Why each area keeps what it keeps about people, in Portuguese. */
export const purposes: Readonly<Record<keyof typeof first, Purpose>> = {
  'users.profile': {
    data: 'perfil, número de telefone, fuso horário, morada de faturação, número de IVA e o que o registo da UE disse sobre ele',
    purpose: 'Ter uma conta e emitir faturas',
    legalBasis: 'Contrato, art. 6.º, n.º 1, alínea b)',
    retention: 'Até a conta ser eliminada',
    recipients: [
      'os prestadores de pagamentos desta loja',
      'os painéis de jogo onde estão os seus servidores',
      'o registo de números de IVA da UE (apenas o número)',
    ],
  },
  'users.marketing': {
    data: 'quando aceitou receber novidades e ofertas',
    purpose: 'Enviar-lhe novidades e ofertas só se as quiser receber',
    legalBasis: 'Consentimento, art. 6.º, n.º 1, alínea a)',
    retention: 'Até retirar o consentimento ou a conta ser eliminada',
    recipients: [],
  },
  'users.sessions': {
    data: 'sessões e chaves de API',
    purpose: 'Confirmar a sua identidade e mostrar-lhe onde tem sessão iniciada',
    legalBasis: 'Interesse legítimo em contas seguras, art. 6.º, n.º 1, alínea f)',
    retention: 'Sessões: 30 dias após o fim; chaves: até a conta ser eliminada',
    recipients: [],
  },
  'users.notes': {
    data: 'notas da nossa equipa sobre si, incluindo as do nosso sistema anterior, e o motivo de cada consulta da sua conta',
    purpose: 'Ajudar sem perguntar duas vezes e justificar cada consulta da sua conta',
    legalBasis: 'Interesse legítimo num apoio bom e rastreável, art. 6.º, n.º 1, alínea f)',
    retention: 'Notas: até a equipa as eliminar ou a conta ser eliminada; motivos: como as sessões',
    recipients: [],
  },
  'rbac.roles': {
    data: 'funções e grupos',
    purpose: 'Permitir que a equipa, e mais ninguém, faça o seu trabalho',
    legalBasis: 'Interesse legítimo numa administração segura, art. 6.º, n.º 1, alínea f)',
    retention: 'Até a função ser retirada ou a conta ser eliminada',
    recipients: [],
  },
  'audit.log': {
    data: 'o registo do que alterou e do que a equipa consultou',
    purpose: 'Saber quem fez o quê quando algo correu mal',
    legalBasis: 'Interesse legítimo na segurança, art. 6.º, n.º 1, alínea f)',
    retention:
      'Enquanto esta loja guardar o registo, 60 meses por predefinição; endereços IP: 12 meses',
    recipients: [],
  },
  'notifications.messages': {
    data: 'notificações e, dos e-mails, o assunto',
    purpose: 'Informar do que precisa de saber sobre a sua conta e os seus serviços',
    legalBasis: 'Contrato, art. 6.º, n.º 1, alínea b)',
    retention: 'Até a conta ser eliminada',
    recipients: ['o servidor de e-mail desta loja'],
  },
  'store.cart': {
    data: 'o carrinho',
    purpose: 'Vender-lhe o que lá coloca',
    legalBasis: 'Diligências pré-contratuais, art. 6.º, n.º 1, alínea b)',
    retention: 'Até ser comprado ou esvaziado, ou a conta ser eliminada',
    recipients: [],
  },
  'store.offers': {
    data: 'códigos promocionais e períodos experimentais que usou',
    purpose: 'Dar apenas uma vez aquilo que cada pessoa recebe uma vez',
    legalBasis: 'Interesse legítimo, art. 6.º, n.º 1, alínea f)',
    retention: 'Sem limite; após a eliminação, sem o seu nome',
    recipients: [],
  },
  'store.trials': {
    data: 'hashes com chave do endereço, dos métodos de pagamento e das contas de painel com que experimentou um produto',
    purpose:
      'Dar a cada pessoa um só período experimental por produto, mesmo depois de uma conta ser eliminada',
    legalBasis: 'Interesse legítimo em prevenir abusos, art. 6.º, n.º 1, alínea f)',
    retention:
      'O tempo definido por esta loja, 24 meses por predefinição, a contar do período experimental',
    recipients: [],
  },
  'ledger.credit': {
    data: 'o seu crédito e os respetivos movimentos',
    purpose: 'Manter a contabilidade',
    legalBasis: 'Contrato e obrigação jurídica, art. 6.º, n.º 1, alíneas b) e c)',
    retention: 'Enquanto a contabilidade for conservada; após a eliminação, sem o seu nome',
    recipients: ['autoridades fiscais e auditores'],
  },
  'billing.documents': {
    data: 'faturas e notas de crédito com o seu nome, morada e número de IVA, pagamentos, reembolsos',
    purpose: 'Faturar, receber os pagamentos e comprová-lo perante as autoridades fiscais',
    legalBasis: 'Contrato e obrigação jurídica, art. 6.º, n.º 1, alíneas b) e c)',
    retention: 'Até 31 de dezembro do décimo ano seguinte ao da emissão do documento',
    recipients: ['os prestadores de pagamentos desta loja', 'autoridades fiscais e auditores'],
  },
  'billing.transfers': {
    data: 'transferências bancárias: nome e conta de quem pagou e o que escreveu',
    purpose: 'Saber a que se destina o dinheiro recebido',
    legalBasis: 'Contrato, art. 6.º, n.º 1, alínea b)',
    retention:
      'Até a conta ser eliminada; as que não foi possível atribuir a ninguém, durante 400 dias',
    recipients: [],
  },
  'billing.methods': {
    data: 'métodos de pagamento guardados: tipo e últimos dígitos',
    purpose: 'Pagar sem voltar a introduzir tudo e renovar',
    legalBasis: 'Contrato, art. 6.º, n.º 1, alínea b)',
    retention: 'Até os remover ou a conta ser eliminada',
    recipients: ['o prestador de pagamentos que guarda o método'],
  },
  'services.services': {
    data: 'serviços, próprios e partilhados, com os valores que escolheu; as suas contas nos painéis de jogo',
    purpose: 'Prestar o que encomendou',
    legalBasis: 'Contrato, art. 6.º, n.º 1, alínea b)',
    retention:
      'Até a conta ser eliminada; o que a contabilidade refere mantém-se, sem os textos que escreveu',
    recipients: [
      'os painéis de jogo onde estão os seus servidores',
      'os sistemas desta loja que entregam os seus serviços',
    ],
  },
  'services.activity': {
    data: 'o que foi feito nos seus servidores e o que fez nos que partilham consigo, com o endereço de origem',
    purpose: 'Mostrar-lhe quem fez o quê e detetar utilizações indevidas',
    legalBasis: 'Interesse legítimo, art. 6.º, n.º 1, alínea f)',
    retention: 'Trinta dias, ou até a conta ser eliminada',
    recipients: ['os painéis de jogo onde estão os seus servidores'],
  },
  'orders.orders': {
    data: 'encomendas, se quis que o serviço começasse de imediato e a sua nota para a loja',
    purpose: 'Executar o que encomendou e comprová-lo',
    legalBasis: 'Contrato e obrigação jurídica, art. 6.º, n.º 1, alíneas b) e c)',
    retention: 'Com a fatura a que pertencem; após a eliminação, sem o seu nome',
    recipients: [],
  },
  'vouchers.redemptions': {
    data: 'os vales que resgatou e quando introduziu códigos errados',
    purpose: 'Para lhe creditar o valor dos vales e impedir que se adivinhem códigos',
    legalBasis: 'Contrato e interesse legítimo, art. 6.º, n.º 1, alíneas b) e f)',
    retention:
      'Os vales resgatados enquanto os livros forem conservados, após a eliminação sem o seu nome; os códigos errados durante um dia',
    recipients: [],
  },
  'affiliation.commissions': {
    data: 'o seu código, quem trouxe, o que ganhou; se veio por recomendação de alguém',
    purpose: 'Dar a sua parte a quem traz clientes e detetar quem paga a si próprio',
    legalBasis: 'Contrato e interesse legítimo, art. 6.º, n.º 1, alíneas b) e f)',
    retention: 'Enquanto a contabilidade for conservada; após a eliminação, sem o seu nome',
    recipients: [],
  },
  'knowledge.feedback': {
    data: 'se os artigos de ajuda lhe foram úteis',
    purpose: 'Melhorar os artigos de ajuda',
    legalBasis: 'Interesse legítimo numa ajuda compreensível, art. 6.º, n.º 1, alínea f)',
    retention: 'Até a conta ser eliminada; depois, sem o seu nome',
    recipients: [],
  },
  'incidents.notices': {
    data: 'os incidentes que afetaram os seus serviços e quando o informámos deles',
    purpose: 'Informá-lo uma vez de cada incidente que o afeta',
    legalBasis: 'Contrato, art. 6.º, n.º 1, alínea b)',
    retention: 'Até a conta ser eliminada',
    recipients: [],
  },
  'support.tickets': {
    data: 'os seus pedidos de apoio com as mensagens e os ficheiros, com o serviço ou a fatura a que dizem respeito',
    purpose: 'Responder às suas perguntas e resolver problemas com os seus serviços',
    legalBasis: 'Contrato, art. 6.º, n.º 1, alínea b)',
    retention: 'Até a conta ser eliminada; as datas ficam sem texto',
    recipients: [],
  },
  'support.saved-replies': {
    data: 'as respostas que guardou para responder aos clientes',
    purpose: 'Voltar a propor-lhe estes textos',
    legalBasis: 'Interesse legítimo num trabalho eficiente, art. 6.º, n.º 1, alínea f)',
    retention: 'Até a conta ser eliminada; as respostas partilhadas ficam sem o seu nome',
    recipients: [],
  },
  'oidc.applications': {
    data: 'as aplicações em que iniciou sessão com esta conta',
    purpose: 'Informar essas aplicações da sua identidade, como autorizou',
    legalBasis: 'Consentimento, art. 6.º, n.º 1, alínea a)',
    retention: 'Até o consentimento terminar ou ser retirado',
    recipients: ['as aplicações que autorizou'],
  },
  'webhooks.messages': {
    data: 'o que aconteceu à sua conta, encomendas, faturas e serviços, com o seu identificador e sem o seu nome',
    purpose: 'Manter atualizados os outros sistemas desta loja',
    legalBasis: 'Interesse legítimo, art. 6.º, n.º 1, alínea f)',
    retention: 'Trinta dias, ou o tempo definido por esta loja',
    recipients: ['os sistemas que esta loja ligou'],
  },
  'bot.roles': {
    data: 'os cargos que a sua conta Discord associada tem pelo que tem aqui',
    purpose: 'Dar-lhe esses cargos nos servidores desta loja e voltar a retirá-los',
    legalBasis: 'Contrato, art. 6.º, n.º 1, alínea b)',
    retention:
      'Até remover a associação ou a conta ser eliminada; o que os bots têm de retirar, mais trinta dias',
    recipients: ['Discord'],
  },
  'desk.views': {
    data: 'as vistas de listas da administração que guardou',
    purpose: 'Mostrar-lhe de novo essas listas como as deixou',
    legalBasis: 'Interesse legítimo num trabalho eficiente, art. 6.º, n.º 1, alínea f)',
    retention: 'Até eliminar a vista ou a conta ser eliminada',
    recipients: [],
  },
  'desk.presence': {
    data: 'as páginas da administração que tem abertas neste momento e se está a escrever nelas uma resposta',
    purpose: 'Mostrar à restante equipa quem trabalha no mesmo assunto',
    legalBasis: 'Interesse legítimo num trabalho eficiente, art. 6.º, n.º 1, alínea f)',
    retention: 'Um minuto depois de sair da página; eliminadas poucos minutos mais tarde',
    recipients: [],
  },
}
