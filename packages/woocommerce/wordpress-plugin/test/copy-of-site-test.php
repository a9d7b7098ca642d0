<?php
/** A copy of the site, which has the link secret of the original. */

/** Sets the answer of a checkout server that takes this site for a copy. */
function checkout_server_sees_copy(): void {
	checkout_server_answers( 409, array( 'code' => 'tillkit_looks_like_copy', 'message' => 'This looks like a copy of shop.example.', 'data' => array( 'status' => 409 ), 'copy_of' => 'shop.example' ) );
}

function copy_notice(): string {
	Stubs::$decimals = 0;
	return output_of( static function (): void { do_action( 'admin_notices' ); } );
}

test(
	'Every call names the address that the owner has set, also where a plugin lets home_url() answer with the domain of a language',
	static function (): void {
		update_option( 'home', 'https://boutique.example/fr' );
		checkout_server_answers( 200, vectors( 'answers' )['health'] );
		health_html();
		assert_same( 'https://boutique.example/fr', json_decode( Stubs::$calls[0]['body'], true )['site'] );
	}
);

test(
	'A refund that the checkout server refuses to a copy says so, and the owner is asked on every page until an answer shows that the site is no copy',
	static function (): void {
		place_order( array( 'status' => 'processing', 'date_paid' => time(), 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		checkout_server_sees_copy();
		$refused = ( new Tillkit_Gateway() )->process_refund( 1042, '10' );
		assert_true( is_wp_error( $refused ), 'the refund is refused;' );
		assert_contains( 'This looks like a copy of shop.example.', $refused->get_error_message() );
		assert_contains( 'This looks like a copy of shop.example. Nothing is refunded', copy_notice() );
		Stubs::$checkout_server = null;
		health_html();
		assert_contains( 'This looks like a copy', copy_notice() );
		checkout_server_answers( 200, vectors( 'answers' )['health'] );
		health_html();
		assert_not_contains( 'copy', copy_notice() );
	}
);

test(
	'An owner whose shop moved says so once, and the connection stays',
	static function (): void {
		checkout_server_sees_copy();
		health_html();
		checkout_server_answers( 200, array( 'answer' => 'moved' ) );
		assert_contains( 'Loading', health_html( 'tillkit_moved' ) );
		$call = Stubs::$calls[ count( Stubs::$calls ) - 1 ];
		assert_same( 'https://pay.example/bridge/v1/installation', $call['url'] );
		assert_same( array( 'moved', 'https://shop.example' ), array( json_decode( $call['body'], true )['answer'], json_decode( $call['body'], true )['site'] ) );
		assert_same( '', copy_notice() );
		assert_true( tillkit_is_configured(), 'the connection stays;' );
	}
);

test(
	'A copy goes to test mode and forgets the store and the secrets of the original, also while the checkout server does not answer',
	static function (): void {
		checkout_server_sees_copy();
		health_html();
		Stubs::$checkout_server = null;
		assert_contains( 'Loading', health_html( 'tillkit_copy' ) );
		$settings = tillkit_settings();
		assert_same( array( '', true, array(), 'https://pay.example' ), array( $settings['store'], $settings['test'], tillkit_link_secrets(), $settings['checkout_server'] ) );
		assert_same( '', copy_notice() );
	}
);

test(
	'Only a person who manages the shop says what a site is',
	static function (): void {
		checkout_server_sees_copy();
		health_html();
		Stubs::$capabilities = array( 'edit_shop_orders' );
		foreach ( array( 'tillkit_moved', 'tillkit_copy' ) as $action ) {
			assert_same( 'ended with 403', health_html( $action ) );
		}
		assert_same( '', copy_notice() );
		assert_true( tillkit_is_configured(), 'the connection stays;' );
	}
);
