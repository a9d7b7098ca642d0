<?php
/** The module: what PrestaShop installs, and its hooks. Everything else is in the folders beside it and in the bridge. */

defined( '_PS_VERSION_' ) || exit;

// The zip has the bridge in the folder of the module. In the repository other shops' plugins share it.
defined( 'TILLKIT_BRIDGE_FOLDER' ) || define( 'TILLKIT_BRIDGE_FOLDER', __DIR__ . '/bridge' );

require_once TILLKIT_BRIDGE_FOLDER . '/bridge.php';
foreach ( array(
	'shop/class-tillkit-prestashop-host',
	'shop/class-tillkit-prestashop-order',
	'shop/context',
	'orders/database-lock',
	'orders/install',
	'orders/tables',
	'orders/order-of-cart',
	'orders/withheld',
	'orders/paid-by',
	'orders/mark-paid',
	'orders/returned-payment',
	'orders/hold',
	'orders/close',
	'orders/notes',
	'orders/record-refund',
	'orders/read-order',
	'orders/status-hook',
	'pages/pay',
	'pages/shopper-notice',
	'pages/restore-cart',
	'pages/response',
	'admin/order-panel',
	'admin/refund',
	'admin/order-list',
	'admin/settings',
	'admin/doctor',
	'admin/announce',
	'privacy/personal-data',
) as $tillkit_part ) {
	require_once __DIR__ . "/$tillkit_part.php";
}
unset( $tillkit_part );

class Tillkit extends PaymentModule {

	const HOOKS = array(
		'paymentOptions',
		'displayPaymentReturn',
		'displayOrderDetail',
		'displayAdminOrderSide',
		'actionOrderStatusUpdate',
		'actionOrderStatusPostUpdate',
		'actionEmailSendBefore',
		'actionObjectCartRuleAddAfter',
		'actionOrderGridDefinitionModifier',
		'actionOrderGridQueryBuilderModifier',
		'actionExportGDPRData',
		'actionDeleteGDPRCustomer',
	);

	public function __construct() {
		$this->name                   = 'tillkit';
		$this->tab                    = 'payments_gateways';
		$this->version                = '0.1.0';
		$this->author                 = 'Tillkit';
		$this->need_instance          = 0;
		$this->bootstrap              = true;
		$this->currencies             = true;
		$this->currencies_mode        = 'checkbox';
		$this->ps_versions_compliancy = array( 'min' => '8.1.0', 'max' => '9.99.99' );
		$this->controllers            = array( 'call', 'pay', 'return', 'status' );
		parent::__construct();
		tillkit_host( new Tillkit_Prestashop_Host( $this ) );
		$this->displayName = 'Tillkit';
		$this->description = tillkit_text( 'Mobile money and cards on a hosted payment page. Orders are marked paid exactly once.' );
	}

	public function install(): bool {
		return parent::install() && tillkit_create_tables() && tillkit_create_states() && tillkit_create_tab() && $this->registerHook( self::HOOKS );
	}

	/** Orders keep their rows and states: a module that is installed again still knows what paid them. */
	public function uninstall(): bool {
		return tillkit_delete_settings() && tillkit_delete_tab() && parent::uninstall();
	}

	/** The shop writes texts in the new system of translations. */
	public function isUsingNewTranslationSystem(): bool {
		return true;
	}

	/** @param string|null $locale Such as fr-FR; null: the language of the page. */
	public function translateText( string $text, ?string $locale = null ): string {
		return (string) $this->trans( $text, array(), 'Modules.Tillkit.Admin', $locale );
	}

	public function getContent(): string {
		return tillkit_settings_page_html();
	}

	public function hookPaymentOptions( $params ) {
		if ( ! $this->active || ! tillkit_is_offered() ) {
			return array();
		}
		$option = new PrestaShop\PrestaShop\Core\Payment\PaymentOption();
		$option->setModuleName( $this->name );
		$option->setCallToActionText( tillkit_method_title( (string) $this->context->currency->iso_code ) );
		$option->setAdditionalInformation( '<p>' . tillkit_html( tillkit_text( 'You pay on a secure page and come back to the shop.' ) ) . '</p>' );
		$option->setAction( tillkit_page_url( 'pay' ) );
		$option->setInputs( array( array( 'name' => 'cart', 'type' => 'hidden', 'value' => (string) (int) $params['cart']->id ) ) );
		return array( $option );
	}

	public function hookDisplayPaymentReturn( $params ) {
		return tillkit_notice_of_page( (int) $params['order']->id, 'thankyou' );
	}

	/** Guests see it too, when they follow their order. */
	public function hookDisplayOrderDetail( $params ) {
		return tillkit_notice_of_page( (int) $params['order']->id, 'pay' );
	}

	public function hookDisplayAdminOrderSide( $params ) {
		return tillkit_order_panel_box( (int) $params['id_order'] );
	}

	public function hookActionOrderStatusUpdate( $params ) {
		$order_id = (int) $params['id_order'];
		$reason   = tillkit_refuse_stale_state( $order_id, (int) ( $params['oldOrderStatus']->id ?? 0 ) );
		if ( '' !== $reason ) {
			tillkit_end_stale_request( $order_id, $reason );
		}
		tillkit_record_owner_decision( $order_id, (bool) $params['newOrderStatus']->paid, time() );
	}

	public function hookActionOrderStatusPostUpdate( $params ) {
		if ( (bool) $params['newOrderStatus']->paid && ! tillkit_is_checkout_server_write() ) {
			tillkit_release_withheld_of_order( (int) $params['id_order'] );
		}
	}

	/** @return bool|null False stops the e-mail. */
	public function hookActionEmailSendBefore( $params ) {
		return tillkit_is_mail_sent_now( $params ) ? null : false;
	}

	public function hookActionObjectCartRuleAddAfter( $params ) {
		tillkit_withhold_voucher( (int) $params['object']->id );
	}

	public function hookActionOrderGridDefinitionModifier( $params ) {
		tillkit_add_decision_column( $params['definition'] );
	}

	public function hookActionOrderGridQueryBuilderModifier( $params ) {
		tillkit_query_decisions( $params['search_query_builder'], $params['count_query_builder'], $params['search_criteria']->getFilters() );
	}

	/** @return string The rows of the export as JSON. */
	public function hookActionExportGDPRData( $params ) {
		return tillkit_json( tillkit_export_of_customer( $params, time() ) );
	}

	public function hookActionDeleteGDPRCustomer( $params ) {
		tillkit_erase_customer( $params, time() );
	}
}
