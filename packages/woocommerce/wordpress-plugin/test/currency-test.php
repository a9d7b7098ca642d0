<?php
/** The currency, its decimals and the language decide whether and how the shop offers the payment method. */

/** Changes some settings of the payment method. */
function change_settings( array $change ): void {
	update_option( 'woocommerce_tillkit_settings', $change + get_option( 'woocommerce_tillkit_settings' ) );
}

test(
	'A shop with prices in francs and cents does not offer the payment method, and its owner cannot enable it',
	static function (): void {
		assert_same( array( 2, 'XOF' ), array( wc_get_price_decimals(), get_woocommerce_currency() ) );
		assert_same( false, ( new Tillkit_Gateway() )->is_available() );
		assert_same( true, ( new Tillkit_Gateway() )->needs_setup() );
		assert_same( 'no', ( new Tillkit_Gateway() )->validate_enabled_field( 'enabled', '1' ) );
		assert_contains( 'The shop shows prices in XOF with 2 decimals', Stubs::$errors[0] );
		foreach ( array( 'XOF' => 0, 'EUR' => 2, 'USD' => 2, 'GBP' => 3 ) as $currency => $decimals ) {
			list( Stubs::$currency, Stubs::$decimals ) = array( $currency, $decimals );
			assert_same( true, ( new Tillkit_Gateway() )->is_available(), $currency );
			assert_same( 'yes', ( new Tillkit_Gateway() )->validate_enabled_field( 'enabled', '1' ) );
			assert_same( 'no', ( new Tillkit_Gateway() )->validate_enabled_field( 'enabled', null ) );
		}
	}
);

test(
	'One click sets the number of decimals that the currency has',
	static function (): void {
		assert_contains( 'data-action="tillkit_decimals"', settings_page() );
		assert_contains( 'Show prices in XOF with 0 decimals', settings_page() );
		assert_contains( 'Loading', health_html( 'tillkit_decimals' ) );
		assert_same( '0', get_option( 'woocommerce_price_num_decimals' ) );
		// A user who may edit orders, but not the shop's settings, is refused.
		Stubs::$capabilities = array( 'edit_shop_orders' );
		update_option( 'woocommerce_price_num_decimals', '2' );
		assert_same( 'ended with 403', health_html( 'tillkit_decimals' ) );
		assert_same( '2', get_option( 'woocommerce_price_num_decimals' ) );
	}
);

test(
	'The owner of a shop that sells in francs and cents sees a notice in the whole administration, and nobody else does',
	static function (): void {
		$notices = static function (): string {
			return output_of(
				static function (): void {
					do_action( 'admin_notices' );
				}
			);
		};
		assert_contains( 'such a fraction cannot be paid', $notices() );
		Stubs::$capabilities = array( 'read' );
		assert_same( '', $notices() );
		Stubs::$capabilities = array( 'manage_woocommerce' );
		Stubs::$decimals     = 0;
		assert_same( '', $notices() );
		assert_not_contains( 'tillkit_decimals', settings_page() );
	}
);

test(
	'A shop in euros shows cards only, and an order in francs is paid by both methods',
	static function (): void {
		list( Stubs::$currency, Stubs::$decimals ) = array( 'EUR', 2 );
		change_settings( array( 'title' => 'Mobile money or card' ) );
		assert_same( 'Card', ( new Tillkit_Gateway() )->get_title() );
		assert_same( array( 'card' ), array_column( tillkit_method_icons(), 'id' ) );
		place_order();
		Stubs::$query_vars = array( 'order-pay' => '1042' );
		Stubs::$decimals   = 0;
		assert_same( 'Mobile money or card', ( new Tillkit_Gateway() )->get_title() );
		assert_same( array( 'mobile-money', 'card' ), array_column( tillkit_method_icons(), 'id' ) );
	}
);

test(
	'Title and description follow the language of the page until the owner changes them',
	static function (): void {
		$shown           = static function (): array {
			$gateway = new Tillkit_Gateway();
			return array( $gateway->get_title(), $gateway->get_description() );
		};
		$english_default = array( 'Mobile money or card', 'You pay on a secure page and come back to the shop.' );
		$french_default  = array( 'Paiement mobile ou carte', 'Vous payez sur une page sécurisée et revenez à la boutique.' );
		foreach ( array( $english_default, $french_default ) as list( $title, $description ) ) {
			change_settings( compact( 'title', 'description' ) );
			Stubs::$locale = 'fr_CI';
			assert_same( $french_default, $shown() );
			Stubs::$locale = 'en_GB';
			assert_same( 'Mobile money or card', ( new Tillkit_Gateway() )->get_title() );
		}
		change_settings( array( 'title' => 'Wave, MTN', 'description' => 'Chez Awa' ) );
		Stubs::$locale = 'fr_FR';
		assert_same( array( 'Wave, MTN', 'Chez Awa' ), $shown() );
	}
);

test(
	'An order of 12.34 euros in a shop with prices in francs is linked, paid and refunded as 12.34 euros',
	static function (): void {
		list( Stubs::$currency, Stubs::$decimals ) = array( 'XOF', 0 );
		place_order( array( 'total' => '12.34', 'currency' => 'EUR' ) );
		parse_str( (string) parse_url( (string) tillkit_pay_link_for_order( tillkit_order( wc_get_order( 1042 ) ), 1764000000 ), PHP_URL_QUERY ), $link );
		assert_same( array( '12.34', 'EUR' ), array( $link['amount'], $link['currency'] ) );
		$request = array( 'amount' => '12.340000', 'currency' => 'EUR' );
		assert_same( true, tillkit_total_matches( tillkit_order( wc_get_order( 1042 ) ), $request ) );
		assert_same( false, tillkit_total_matches( tillkit_order( wc_get_order( 1042 ) ), array( 'amount' => '12' ) + $request ) );
		assert_same( '12.34', tillkit_exact_amount( '12.34', 'EUR' ) );
		assert_same( '5000', tillkit_exact_amount( '5000.00', 'XOF' ) );
	}
);
