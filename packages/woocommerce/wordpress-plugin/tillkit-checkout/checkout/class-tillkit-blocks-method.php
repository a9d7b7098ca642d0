<?php
/** The payment method in the block checkout; blocks.js renders it. */

defined( 'ABSPATH' ) || exit;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

final class Tillkit_Blocks_Method extends AbstractPaymentMethodType {

	/** @var string The id of the gateway. */
	protected $name = 'tillkit';

	public function initialize() {
		$this->settings = (array) get_option( 'woocommerce_tillkit_settings', array() );
	}

	public function is_active() {
		return ( new Tillkit_Gateway() )->is_available();
	}

	public function get_payment_method_script_handles() {
		wp_register_script(
			'tillkit-blocks',
			plugins_url( 'checkout/blocks.js', TILLKIT_PLUGIN_FILE ),
			array( 'wc-blocks-registry', 'wc-settings', 'wp-element' ),
			TILLKIT_VERSION,
			true
		);
		return array( 'tillkit-blocks' );
	}

	/** This data is public: it is part of the page. */
	public function get_payment_method_data() {
		$gateways = tillkit_method_gateways();
		if ( array() === $gateways ) {
			return $this->data_of( new Tillkit_Gateway() );
		}
		return array( 'methods' => array_map( array( $this, 'data_of' ), array_values( $gateways ) ) );
	}

	private function data_of( Tillkit_Gateway $gateway ): array {
		return array(
			'name'        => $gateway->id,
			'title'       => wp_strip_all_tags( $gateway->get_title() ),
			'description' => wp_strip_all_tags( $gateway->get_description() ),
			'icons'       => $gateway->icons(),
			'supports'    => array_values( array_filter( $gateway->supports, array( $gateway, 'supports' ) ) ),
		);
	}
}
