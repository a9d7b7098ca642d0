<?php
test(
	'A shopper is sent to a signed link of the order, without a call to anybody',
	static function (): void {
		place_order();
		$answer = ( new Tillkit_Gateway() )->process_payment( 1042 );
		same( 'success', $answer['result'] );
		parse_str( (string) parse_url( $answer['redirect'], PHP_URL_QUERY ), $query );
		same( 0, strpos( $answer['redirect'], 'https://pay.example/woo/pay?' ) );
		same( array( 'boutique', '1042', 'wc_order_AbC123xyZ', '5000.00', 'XOF' ), array_slice( array_values( $query ), 0, 5 ) );
		holds( abs( $query['exp'] - time() - 7200 ) < 5, 'the link is good for two hours;' );
		$text = "tillkit v1 pay\nboutique\n1042\nwc_order_AbC123xyZ\n5000.00\nXOF\n{$query['exp']}";
		same( 'v1.' . hash_hmac( 'sha256', $text, SECRET ), $query['sig'] );
		same( array(), Stubs::$calls );
	}
);

test(
	'The order says where the shopper goes back to, in which language, and how long it is kept open',
	static function (): void {
		Stubs::$locale = 'fr_SN';
		place_order();
		( new Tillkit_Gateway() )->process_payment( 1042 );
		$meta = stored_order()['meta'];
		same( 'https://shop.example/checkout/order-received/1042/?key=wc_order_AbC123xyZ', $meta['_tillkit_return_url'] );
		same( 'https://shop.example/checkout/order-pay/1042/?pay_for_order=true&key=wc_order_AbC123xyZ', $meta['_tillkit_cancel_url'] );
		same( 'fr', $meta['_tillkit_language'] );
		holds( abs( $meta['_tillkit_open_until'] - time() - 10800 ) < 5, 'it is open for three hours;' );
	}
);

test(
	'A longer time that the companion has set is not made shorter',
	static function (): void {
		$long = (string) ( time() + 50000 );
		place_order( array( 'meta' => array( '_tillkit_open_until' => $long ) ) );
		( new Tillkit_Gateway() )->process_payment( 1042 );
		same( $long, stored_order()['meta']['_tillkit_open_until'] );
	}
);

test(
	'A shopper whose link cannot be made reads so and stays in the checkout',
	static function (): void {
		place_order( array( 'key' => 'key with spaces' ) );
		same( array( 'result' => 'failure' ), ( new Tillkit_Gateway() )->process_payment( 1042 ) );
		same( array( 'result' => 'failure' ), ( new Tillkit_Gateway() )->process_payment( 7 ) );
		same( 2, count( Stubs::$notices ) );
	}
);

test(
	'Shoppers see the payment method only in a shop that is set up and has it enabled',
	static function (): void {
		same( true, ( new Tillkit_Gateway() )->is_available() );
		$set = get_option( 'woocommerce_tillkit_settings' );
		foreach ( array( 'companion' => '', 'store' => '', 'enabled' => 'no' ) as $field => $value ) {
			update_option( 'woocommerce_tillkit_settings', array( $field => $value ) + $set );
			same( false, ( new Tillkit_Gateway() )->is_available(), $field );
		}
		update_option( 'woocommerce_tillkit_settings', $set );
		update_option( 'tillkit_link_secrets', array( 'current' => 'too short' ) );
		same( false, ( new Tillkit_Gateway() )->is_available() );
		same( true, ( new Tillkit_Gateway() )->needs_setup() );
	}
);

test(
	'The title says test while the owner tries it out',
	static function (): void {
		same( 'Mobile money', ( new Tillkit_Gateway() )->get_title() );
		update_option( 'woocommerce_tillkit_settings', array( 'test' => 'yes' ) + get_option( 'woocommerce_tillkit_settings' ) );
		same( 'Mobile money (test)', ( new Tillkit_Gateway() )->get_title() );
	}
);

test(
	'The block checkout is told title, description and pictures, and no secret',
	static function (): void {
		$registry = new class() {
			public $methods = array();

			public function register( $method ): void {
				$this->methods[] = $method;
			}
		};
		do_action( 'woocommerce_blocks_payment_method_type_registration', $registry );
		$method = $registry->methods[0];
		$method->initialize();
		$data = $method->get_payment_method_data();
		same( true, $method->is_active() );
		same( array( 'tillkit-blocks' ), $method->get_payment_method_script_handles() );
		same( array( 'Mobile money', 'Pay & come back', array( 'products', 'refunds' ) ), array( $data['title'], $data['description'], $data['supports'] ) );
		same( array( 'mobile-money', 'card' ), array_column( $data['icons'], 'id' ) );
		says_not( SECRET, json_encode( $data ) );
		says_not( PREVIOUS, json_encode( $data ) );
		update_option( 'tillkit_link_secrets', array() );
		same( false, $method->is_active() );
	}
);

test(
	'The pictures are those that the owner chose, and each of them exists',
	static function (): void {
		update_option( 'woocommerce_tillkit_settings', array( 'methods' => array( 'card' ) ) + get_option( 'woocommerce_tillkit_settings' ) );
		$html = ( new Tillkit_Gateway() )->get_icon();
		says( 'icons/card.svg', $html );
		says_not( 'mobile-money', $html );
		update_option( 'woocommerce_tillkit_settings', array( 'methods' => '' ) + get_option( 'woocommerce_tillkit_settings' ) );
		same( '', ( new Tillkit_Gateway() )->get_icon() );
		foreach ( array_keys( tillkit_methods() ) as $name ) {
			holds( is_file( __DIR__ . "/../tillkit-checkout/icons/$name.svg" ), $name );
		}
	}
);

test(
	'The plugin declares that it works with orders in their own tables and with the block checkout',
	static function (): void {
		same( array( 'custom_order_tables' => true, 'cart_checkout_blocks' => true ), Automattic\WooCommerce\Utilities\FeaturesUtil::$declared );
		same( array( 'Tillkit_Gateway' ), apply_filters( 'woocommerce_payment_gateways', array() ) );
	}
);

test(
	'An order that somebody may be paying just now is not cancelled for want of payment',
	static function (): void {
		$open = place_order( array( 'meta' => array( '_tillkit_open_until' => (string) ( time() + 60 ) ), 'payment_method' => 'bacs' ) );
		same( false, apply_filters( 'woocommerce_cancel_unpaid_order', true, $open ) );
		$lapsed = place_order( array( 'meta' => array( '_tillkit_open_until' => (string) ( time() - 1 ) ) ) );
		same( true, apply_filters( 'woocommerce_cancel_unpaid_order', true, $lapsed ) );
		same( false, apply_filters( 'woocommerce_cancel_unpaid_order', false, $lapsed ) );
		same( true, apply_filters( 'woocommerce_cancel_unpaid_order', true, place_order() ) );
		same( true, apply_filters( 'woocommerce_cancel_unpaid_order', true, null ) );
	}
);
