<?php
/** Mobile money and card as two payment methods at the checkout, for owners who separate them in the settings. */

/** The ids of the payment methods that shoppers see, in the owner's order. */
function shown_methods(): array {
	$gateways = array( 'bacs' => (object) array( 'id' => 'bacs' ), 'tillkit' => new Tillkit_Gateway(), 'cod' => (object) array( 'id' => 'cod' ) );
	return apply_filters( 'woocommerce_available_payment_gateways', $gateways );
}

function change_franc_shop_settings( array $change ): void {
	Stubs::$decimals = 0;
	update_option( 'woocommerce_tillkit_settings', $change + get_option( 'woocommerce_tillkit_settings' ) );
}

test(
	'Shoppers see one payment method until the owner separates mobile money and card, which then stand in its place',
	static function (): void {
		change_franc_shop_settings( array() );
		assert_same( array( 'bacs', 'tillkit', 'cod' ), array_keys( shown_methods() ) );
		change_franc_shop_settings( array( 'separate' => 'yes', 'test' => 'yes', 'description' => '' ) );
		$shown = shown_methods();
		assert_same( array( 'bacs', 'tillkit_mobile_money', 'tillkit_card', 'cod' ), array_keys( $shown ) );
		assert_same( array( 'Mobile money (test)', 'Card (test)' ), array( $shown['tillkit_mobile_money']->get_title(), $shown['tillkit_card']->get_title() ) );
		assert_same( 'Choose “Card” on the secure page. You come back to the shop after the payment.', $shown['tillkit_card']->get_description() );
		assert_contains( 'icons/card.svg', $shown['tillkit_card']->get_icon() );
		assert_not_contains( 'mobile-money', $shown['tillkit_card']->get_icon() );
	}
);

test(
	'Separate methods have French names and icons in a French shop',
	static function (): void {
		change_franc_shop_settings( array( 'separate' => 'yes', 'description' => '' ) );
		Stubs::$locale = 'fr_FR';
		$shown = shown_methods();
		assert_same( array( 'Paiement mobile', 'Carte' ), array( $shown['tillkit_mobile_money']->get_title(), $shown['tillkit_card']->get_title() ) );
		assert_same( 'Choisissez « Carte » sur la page sécurisée. Vous revenez à la boutique après le paiement.', $shown['tillkit_card']->get_description() );
	}
);

foreach ( array( 'euros, which mobile money does not take' => array( 'EUR', array() ), 'only cards, which the owner has selected' => array( 'XOF', array( 'methods' => array( 'card' ) ) ), 'francs with two decimals, which nobody can pay' => array( 'XOF', array( 'two_decimals' => 'yes' ) ) ) as $case => $given ) {
	test(
		"Nothing is separated for $case",
		static function () use ( $given ): void {
			list( $currency, $settings ) = $given;
			change_franc_shop_settings( array( 'separate' => 'yes' ) + $settings );
			Stubs::$currency = $currency;
			Stubs::$decimals = isset( $settings['two_decimals'] ) ? 2 : 0;
			assert_same( array( 'bacs', 'tillkit', 'cod' ), array_keys( shown_methods() ) );
		}
	);
}

test(
	'A list without our payment method, or that another plugin broke, is left as it is',
	static function (): void {
		change_franc_shop_settings( array( 'separate' => 'yes' ) );
		assert_same( array(), apply_filters( 'woocommerce_available_payment_gateways', array() ) );
		assert_same( null, apply_filters( 'woocommerce_available_payment_gateways', null ) );
	}
);

test(
	'An order of a separate method gets the common payment method under the title that the shopper chose, and keeps the title when it is paid',
	static function (): void {
		change_franc_shop_settings( array( 'separate' => 'yes' ) );
		place_order( array( 'payment_method' => 'tillkit_card', 'total' => '5000' ) );
		$answer = shown_methods()['tillkit_card']->process_payment( 1042 );
		assert_same( 'success', $answer['result'] );
		assert_contains( 'https://pay.example/bridge/v1/pay?', $answer['redirect'] );
		assert_same( array( 'tillkit', 'Card' ), array( stored_order()['payment_method'], stored_order()['title'] ) );
		assert_same( 'recorded', tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request( array( 'amount' => '5000' ) ) ), time() )['outcome'] );
		assert_same( array( 'tillkit', 'Card', 'processing' ), array( stored_order()['payment_method'], stored_order()['title'], stored_order()['status'] ) );
	}
);

test(
	'The order box, the waiting page and the refund button know an order that still has a separate method',
	static function (): void {
		foreach ( array( 'tillkit', 'tillkit_card', 'tillkit_mobile_money' ) as $method ) {
			assert_true( tillkit_is_own_method( $method ), $method );
			assert_true( tillkit_is_own_order( place_order( array( 'payment_method' => $method ) ) ), $method );
		}
		foreach ( array( '', 'bacs', 'tillkit_other', 'stripe' ) as $method ) {
			assert_true( ! tillkit_is_own_method( $method ), $method );
		}
	}
);

test(
	'The block checkout receives both methods, each with its own icon',
	static function (): void {
		require_once dirname( __DIR__ ) . '/tillkit-checkout/checkout/class-tillkit-blocks-method.php';
		change_franc_shop_settings( array( 'separate' => 'yes' ) );
		$data = ( new Tillkit_Blocks_Method() )->get_payment_method_data();
		assert_same( array( 'tillkit_mobile_money', 'tillkit_card' ), array_column( $data['methods'], 'name' ) );
		assert_same( array( array( 'mobile-money' ), array( 'card' ) ), array_map( static function ( array $method ): array { return array_column( $method['icons'], 'id' ); }, $data['methods'] ) );
		assert_not_contains( SECRET, json_encode( $data ) );
	}
);

test(
	'Shoppers and the plugins for fees and conditions in the administration know the separate methods, and the list with their settings the common one only',
	static function (): void {
		change_franc_shop_settings( array( 'separate' => 'yes' ) );
		$registered = static function ( array $request ): int {
			foreach ( $request + array( 'is_admin' => false, 'is_rest' => false, 'is_store_api' => false ) as $name => $value ) {
				Stubs::$$name = $value;
			}
			return count( apply_filters( 'woocommerce_payment_gateways', array() ) );
		};
		assert_same( 3, $registered( array() ), 'a page of the shop;' );
		assert_same( 3, $registered( array( 'is_rest' => true, 'is_store_api' => true ) ), 'the block checkout;' );
		assert_same( 3, $registered( array( 'is_admin' => true ) ), 'a page of the owner;' );
		$_GET = array( 'page' => 'wc-settings', 'tab' => 'checkout' );
		assert_same( 1, $registered( array( 'is_admin' => true ) ), 'the list of payment methods with their settings;' );
		$_GET = array();
		assert_same( 1, $registered( array( 'is_rest' => true ) ), 'a program;' );
		change_franc_shop_settings( array( 'separate' => 'no' ) );
		assert_same( 1, $registered( array() ), 'a page of the shop;' );
	}
);

test(
	'A method that is registered twice is shown once, and not at all where nothing is separated',
	static function (): void {
		change_franc_shop_settings( array( 'separate' => 'yes' ) );
		$gateways = array( 'tillkit' => new Tillkit_Gateway(), 'cod' => (object) array() );
		foreach ( tillkit_all_method_gateways() as $gateway ) {
			$gateways[ $gateway->id ] = $gateway;
		}
		assert_same( array( 'tillkit_mobile_money', 'tillkit_card', 'cod' ), array_keys( apply_filters( 'woocommerce_available_payment_gateways', $gateways ) ) );
		Stubs::$currency = 'EUR';
		assert_same( array( 'tillkit', 'cod' ), array_keys( apply_filters( 'woocommerce_available_payment_gateways', $gateways ) ) );
	}
);
