<?php
/** The payment method of WooCommerce. */

defined( 'ABSPATH' ) || exit;

class Tillkit_Gateway extends WC_Payment_Gateway {

	public function __construct() {
		$this->id                 = 'tillkit';
		$this->has_fields         = false;
		$this->method_title       = 'Tillkit';
		// In the owner's list of payment methods. Shoppers see the icons of the methods.
		$this->icon               = plugins_url( 'icons/tillkit.svg', TILLKIT_PLUGIN_FILE );
		$this->method_description = __( 'Mobile money and cards on a hosted payment page.', 'tillkit-checkout' );
		$this->supports           = array( 'products', 'refunds' );
		$this->init_form_fields();
		$this->init_settings();
		$this->title       = tillkit_with_test_mark( tillkit_title( (string) $this->get_option( 'title' ) ) );
		$this->description = tillkit_description( (string) $this->get_option( 'description' ) );
		add_action( 'woocommerce_update_options_payment_gateways_' . $this->id, array( $this, 'process_admin_options' ) );
	}

	public function init_form_fields() {
		$this->form_fields = tillkit_form_fields();
	}

	public function is_available() {
		return parent::is_available() && tillkit_is_configured() && ! tillkit_has_too_many_decimals( tillkit_page_currency() );
	}

	/** If true, the list of payment methods leads to the settings and does not enable the method. */
	public function needs_setup() {
		return ! tillkit_is_configured() || tillkit_has_too_many_decimals( (string) get_woocommerce_currency() );
	}

	public function get_icon() {
		$html = '';
		foreach ( $this->icons() as $icon ) {
			$html .= '<img src="' . esc_url( $icon['src'] ) . '" alt="' . esc_attr( $icon['alt'] ) . '" width="38" height="24" />';
		}
		return apply_filters( 'woocommerce_gateway_icon', $html, $this->id );
	}

	/** @return array<int,array{id:string,src:string,alt:string}> */
	public function icons(): array {
		return tillkit_method_icons();
	}

	public function process_payment( $order_id ) {
		$now   = time();
		$order = wc_get_order( $order_id );
		$link  = $order instanceof WC_Order ? tillkit_pay_link_for_order( tillkit_order( $order ), $now ) : null;
		if ( null === $link ) {
			wc_add_notice( __( 'This payment method is not available right now. Please choose another one.', 'tillkit-checkout' ), 'error' );
			return array( 'result' => 'failure' );
		}
		tillkit_save_return_meta( $order, $this->get_return_url( $order ), $now );
		return array(
			'result'   => 'success',
			'redirect' => $link,
		);
	}

	/** Only an order with a payment of this plugin can be refunded through this payment method. */
	public function can_refund_order( $order ) {
		return parent::can_refund_order( $order ) && tillkit_is_configured() && '' !== tillkit_own_payment( tillkit_order( $order ) );
	}

	/** WooCommerce makes the transaction id at the top of the order a link to this address. */
	public function get_transaction_url( $order ) {
		return apply_filters( 'woocommerce_get_transaction_url', tillkit_dashboard_url( (string) $order->get_transaction_id() ), $order, $this );
	}

	/** The reason is not sent because it may contain personal data. */
	public function process_refund( $order_id, $amount = null, $reason = '' ) {
		return tillkit_refund( (int) $order_id, $amount );
	}

	public function admin_options() {
		tillkit_show_pairing();
		parent::admin_options();
		tillkit_show_health_panel();
	}

	public function process_admin_options() {
		$posted          = $this->get_post_data();
		$secret          = (string) wp_unslash( $posted[ $this->get_field_key( 'link_secret' ) ] ?? '' );
		$remove_previous = isset( $posted[ $this->get_field_key( 'forget_previous' ) ] );
		tillkit_show_settings_error( tillkit_change_link_secret( trim( $secret ), $remove_previous ) );
		return parent::process_admin_options();
	}

	/** Renders the field `link_secret`. WooCommerce calls this method by the type of the field. */
	public function generate_tillkit_secret_html( $key ) {
		return tillkit_secret_row( $this->get_field_key( $key ), $this->get_field_key( 'forget_previous' ) );
	}

	/** The link secret is stored separately from the settings. */
	public function validate_tillkit_secret_field() {
		return '';
	}

	public function validate_checkout_server_field( $key, $value ) {
		return $this->valid_or_previous( $key, tillkit_validate_checkout_server_url( trim( wp_unslash( (string) $value ) ) ) );
	}

	public function validate_store_field( $key, $value ) {
		return $this->valid_or_previous( $key, tillkit_validate_store_id( trim( wp_unslash( (string) $value ) ) ) );
	}

	public function validate_dashboard_field( $key, $value ) {
		return $this->valid_or_previous( $key, tillkit_validate_dashboard( trim( wp_unslash( (string) $value ) ) ) );
	}

	/** The method is not enabled while the prices of the shop cannot be paid exactly. */
	public function validate_enabled_field( $key, $value ) {
		$is_enabled = null !== $value && 'no' !== $value;
		if ( $is_enabled && tillkit_has_too_many_decimals( (string) get_woocommerce_currency() ) ) {
			WC_Admin_Settings::add_error( tillkit_decimals_text() );
			return 'no';
		}
		return $is_enabled ? 'yes' : 'no';
	}

	/** Shows an error and keeps the previous value if the new one is invalid. */
	private function valid_or_previous( string $key, $value ) {
		tillkit_show_settings_error( $value );
		return $value instanceof Tillkit_Error ? $this->get_option( $key ) : $value;
	}
}
