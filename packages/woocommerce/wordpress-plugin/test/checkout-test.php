<?php
/** The payment of an order in WooCommerce's checkout: the pay link, and what is saved on the order before the shopper leaves. */

test(
	'The checkout redirects to a signed pay link without an outbound request',
	static function (): void {
		place_order();
		$answer = ( new Tillkit_Gateway() )->process_payment( 1042 );
		assert_same( 'success', $answer['result'] );
		parse_str( (string) parse_url( $answer['redirect'], PHP_URL_QUERY ), $query );
		assert_same( 0, strpos( $answer['redirect'], 'https://pay.example/bridge/v1/pay?' ) );
		assert_same( array( 'boutique', '1042', 'wc_order_AbC123xyZ', '5000.00', 'XOF' ), array_slice( array_values( $query ), 0, 5 ) );
		assert_true( abs( $query['exp'] - time() - 7200 ) < 5, 'the link is valid for two hours;' );
		$text = "tillkit v1 pay\nboutique\n1042\nwc_order_AbC123xyZ\n5000.00\nXOF\n{$query['exp']}";
		assert_same( 'v1.' . hash_hmac( 'sha256', $text, SECRET ), $query['sig'] );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'The checkout saves return addresses, language and protection from cancellation on the order',
	static function (): void {
		Stubs::$locale = 'fr_SN';
		place_order();
		( new Tillkit_Gateway() )->process_payment( 1042 );
		$meta = stored_order()['meta'];
		assert_same( 'https://shop.example/checkout/order-received/1042/?key=wc_order_AbC123xyZ', $meta['_tillkit_return_url'] );
		assert_same( 'https://shop.example/checkout/order-pay/1042/?pay_for_order=true&key=wc_order_AbC123xyZ', $meta['_tillkit_cancel_url'] );
		$lines = array( 'tillkit v1 return', tillkit_settings()['store'], '1042', $meta['_tillkit_return_url'], $meta['_tillkit_cancel_url'] );
		assert_same( tillkit_sign( $lines, tillkit_link_secrets()[0] ), $meta['_tillkit_return_sig'] );
		assert_same( 'fr', $meta['_tillkit_language'] );
		assert_true( abs( $meta['_tillkit_open_until'] - time() - 10800 ) < 5, 'the order is protected for three hours;' );
	}
);

test(
	'The checkout never shortens the protection from cancellation that the checkout server has set',
	static function (): void {
		$long = (string) ( time() + 50000 );
		place_order( array( 'meta' => array( '_tillkit_open_until' => $long ) ) );
		( new Tillkit_Gateway() )->process_payment( 1042 );
		assert_same( $long, stored_order()['meta']['_tillkit_open_until'] );
	}
);

test(
	'The checkout shows an error if no pay link can be made',
	static function (): void {
		place_order( array( 'key' => 'key with spaces' ) );
		assert_same( array( 'result' => 'failure' ), ( new Tillkit_Gateway() )->process_payment( 1042 ) );
		assert_same( array( 'result' => 'failure' ), ( new Tillkit_Gateway() )->process_payment( 7 ) );
		assert_same( 2, count( Stubs::$notices ) );
	}
);

test(
	'The payment method is available only in a configured shop whose owner has enabled the method',
	static function (): void {
		Stubs::$decimals = 0;
		assert_same( true, ( new Tillkit_Gateway() )->is_available() );
		$settings = get_option( 'woocommerce_tillkit_settings' );
		foreach ( array( 'checkout_server' => '', 'store' => '', 'enabled' => 'no' ) as $field => $value ) {
			update_option( 'woocommerce_tillkit_settings', array( $field => $value ) + $settings );
			assert_same( false, ( new Tillkit_Gateway() )->is_available(), $field );
		}
		update_option( 'woocommerce_tillkit_settings', $settings );
		update_option( 'tillkit_link_secrets', array( 'current' => 'too short' ) );
		assert_same( false, ( new Tillkit_Gateway() )->is_available() );
		assert_same( true, ( new Tillkit_Gateway() )->needs_setup() );
	}
);

test(
	'The title of the payment method ends with (test) in test mode, also where the block checkout reads it',
	static function (): void {
		assert_same( 'Mobile money', ( new Tillkit_Gateway() )->get_title() );
		update_option( 'woocommerce_tillkit_settings', array( 'test' => 'yes' ) + get_option( 'woocommerce_tillkit_settings' ) );
		assert_same( 'Mobile money (test)', ( new Tillkit_Gateway() )->get_title() );
		assert_same( 'Mobile money (test)', ( new Tillkit_Gateway() )->title );
	}
);

test(
	'The block checkout receives title, description and icons, and no secret',
	static function (): void {
		$registry = new class() {
			public $methods = array();

			public function register( $method ): void {
				$this->methods[] = $method;
			}
		};
		Stubs::$decimals = 0;
		do_action( 'woocommerce_blocks_payment_method_type_registration', $registry );
		$method = $registry->methods[0];
		$method->initialize();
		$data = $method->get_payment_method_data();
		assert_same( true, $method->is_active() );
		assert_same( array( 'tillkit-blocks' ), $method->get_payment_method_script_handles() );
		assert_same( array( 'Mobile money', 'Pay & come back', array( 'products', 'refunds' ) ), array( $data['title'], $data['description'], $data['supports'] ) );
		assert_same( array( 'mobile-money', 'card' ), array_column( $data['icons'], 'id' ) );
		assert_not_contains( SECRET, json_encode( $data ) );
		assert_not_contains( PREVIOUS, json_encode( $data ) );
		update_option( 'tillkit_link_secrets', array() );
		assert_same( false, $method->is_active() );
	}
);

test(
	'The payment method shows the icons that the owner has selected, and every icon exists',
	static function (): void {
		update_option( 'woocommerce_tillkit_settings', array( 'methods' => array( 'card' ) ) + get_option( 'woocommerce_tillkit_settings' ) );
		$html = ( new Tillkit_Gateway() )->get_icon();
		assert_contains( 'icons/card.svg', $html );
		assert_not_contains( 'mobile-money', $html );
		update_option( 'woocommerce_tillkit_settings', array( 'methods' => '' ) + get_option( 'woocommerce_tillkit_settings' ) );
		assert_same( '', ( new Tillkit_Gateway() )->get_icon() );
		foreach ( array_keys( tillkit_methods() ) as $name ) {
			assert_true( is_file( __DIR__ . "/../tillkit-checkout/icons/$name.svg" ), $name );
		}
	}
);

test(
	'The plugin declares support for orders in their own tables and for the block checkout',
	static function (): void {
		assert_same( array( 'custom_order_tables' => true, 'cart_checkout_blocks' => true ), Automattic\WooCommerce\Utilities\FeaturesUtil::$declared );
		assert_same( array( 'Tillkit_Gateway' ), apply_filters( 'woocommerce_payment_gateways', array() ) );
	}
);

test(
	'An unpaid order with a payment in progress is not cancelled',
	static function (): void {
		$open = place_order( array( 'meta' => array( '_tillkit_open_until' => (string) ( time() + 60 ) ), 'payment_method' => 'bacs' ) );
		assert_same( false, apply_filters( 'woocommerce_cancel_unpaid_order', true, $open ) );
		$expired_order = place_order( array( 'meta' => array( '_tillkit_open_until' => (string) ( time() - 1 ) ) ) );
		assert_same( true, apply_filters( 'woocommerce_cancel_unpaid_order', true, $expired_order ) );
		assert_same( false, apply_filters( 'woocommerce_cancel_unpaid_order', false, $expired_order ) );
		assert_same( true, apply_filters( 'woocommerce_cancel_unpaid_order', true, place_order() ) );
		assert_same( true, apply_filters( 'woocommerce_cancel_unpaid_order', true, null ) );
	}
);
