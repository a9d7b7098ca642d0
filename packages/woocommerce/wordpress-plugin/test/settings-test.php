<?php
/** The settings page of the payment method, and its health panel. */

/** Saves the settings page like WooCommerce, with slashes before quotes. */
function save_settings( array $typed ): array {
	$_POST           = array();
	Stubs::$decimals = 0;
	foreach ( $typed + array( 'enabled' => 'yes', 'checkout_server' => 'https://pay.example', 'store' => 'boutique', 'link_secret' => '' ) as $key => $value ) {
		$_POST[ "woocommerce_tillkit_$key" ] = addslashes( $value );
	}
	( new Tillkit_Gateway() )->process_admin_options();
	return get_option( 'woocommerce_tillkit_settings' );
}

function settings_page(): string {
	return output_of(
		static function (): void {
			( new Tillkit_Gateway() )->admin_options();
		}
	);
}

function health_html( string $action = 'tillkit_health' ): string {
	$_POST = array( 'nonce' => "nonce-of-$action" );
	try {
		do_action( "wp_ajax_$action" );
	} catch ( Request_Ended $ended ) {
		return is_array( $ended->body ) ? $ended->body['html'] : "ended with $ended->status";
	}
	throw new LogicException( 'The request did not end.' );
}

foreach ( array( 'https://pay.example/' => 'https://pay.example', ' https://pay.example/shop// ' => 'https://pay.example/shop', 'http://localhost:8080' => 'http://localhost:8080', 'http://127.0.0.1:8080' => 'http://127.0.0.1:8080', '' => '' ) as $typed => $stored ) {
	test(
		"The checkout server address \"$typed\" is saved as \"$stored\"",
		static function () use ( $typed, $stored ): void {
			assert_same( $stored, save_settings( array( 'checkout_server' => $typed ) )['checkout_server'] );
			assert_same( array(), Stubs::$errors );
		}
	);
}

foreach ( array( 'http://pay.example', 'pay.example', 'ftp://pay.example', 'https://', 'https://me:secret@pay.example', 'https://pay.example/?a=b', 'https://pay.example/#x', 'https://pay.example/"><script>', 'javascript:alert(1)', '//pay.example' ) as $typed ) {
	test(
		"The checkout server address \"$typed\" is refused with one sentence, and the previous address stays",
		static function () use ( $typed ): void {
			assert_same( 'https://pay.example', save_settings( array( 'checkout_server' => $typed ) )['checkout_server'] );
			assert_same( 1, count( Stubs::$errors ) );
			assert_contains( 'The checkout server address must', Stubs::$errors[0] );
		}
	);
}

test(
	'An invalid store id is refused, and the previous id stays',
	static function (): void {
		assert_same( 'boutique', save_settings( array( 'store' => 'bou tique' ) )['store'] );
		assert_same( 1, count( Stubs::$errors ) );
		assert_same( 'shop_2-b', save_settings( array( 'store' => ' shop_2-b ' ) )['store'] );
	}
);

test(
	'A new link secret keeps the old one as the previous secret, and saving again changes nothing',
	static function (): void {
		$new = 'a new secret with "quotes" and 32 characters';
		save_settings( array( 'link_secret' => $new ) );
		assert_same( array( $new, SECRET ), tillkit_link_secrets() );
		save_settings( array() );
		save_settings( array( 'link_secret' => $new ) );
		assert_same( array( $new, SECRET ), tillkit_link_secrets() );
		save_settings( array( 'forget_previous' => '1' ) );
		assert_same( array( $new ), tillkit_link_secrets() );
	}
);

test(
	'A link secret that is too short is refused, and the stored secrets stay',
	static function (): void {
		save_settings( array( 'link_secret' => str_repeat( 'x', 31 ) ) );
		assert_same( array( SECRET, PREVIOUS ), tillkit_link_secrets() );
		assert_same( array( 'The link secret must have 32 characters or more.' ), Stubs::$errors );
	}
);

test(
	'A link secret never appears in pages, in errors or in the settings that WooCommerce\'s API returns',
	static function (): void {
		$new   = str_repeat( 'hidden-', 6 );
		$stored  = save_settings( array( 'link_secret' => $new ) );
		$texts = array( settings_page(), json_encode( $stored ), json_encode( tillkit_form_fields() ), json_encode( tillkit_call_checkout_server( 'health', array() )->message ) );
		foreach ( $texts as $text ) {
			assert_not_contains( $new, $text );
			assert_not_contains( SECRET, $text );
		}
		// WooCommerce's own API lists fields that have a title.
		assert_same( false, isset( tillkit_form_fields()['link_secret']['title'] ) );
	}
);

test(
	'The settings page offers to remove a previous secret only if there is one',
	static function (): void {
		assert_contains( 'forget_previous', settings_page() );
		tillkit_change_link_secret( '', true );
		assert_not_contains( 'forget_previous', settings_page() );
		assert_contains( 'value=""', settings_page() );
	}
);

test(
	'The health panel shows the number that is sent for the newest order and the amount that the hosted page must show',
	static function (): void {
		place_order( array( 'id' => 7, 'total' => '1.00' ) );
		place_order();
		place_order( array( 'id' => 2000, 'total' => '0.00' ) );
		checkout_server_answers( 200, array( 'time' => time() ) + vectors( 'answers' )['health'] );
		$html = health_html();
		assert_same( array( 'amount' => '5000.00', 'currency' => 'XOF', 'language' => 'en', 'webhook' => true, 'site' => 'https://shop.example' ), json_decode( Stubs::$calls[0]['body'], true ) );
		assert_contains( 'Order 1042: the total is 5 000,00 XOF, and the payment service receives the number 5000. Open a hosted page below: it must ask for 5 000 F CFA.', $html );
		assert_contains( 'Set the number of decimals of XOF to 0 in the settings of the shop: it has 2.', $html );
		assert_contains( 'The clocks of the shop and the checkout server agree.', $html );
		assert_contains( 'The payment service accepts the key.', $html );
		assert_contains( 'locks an order while it marks it as paid', $html );
		assert_contains( 'A test webhook of the service arrived', $html );
		assert_contains( 'The checkout server accepts XOF.', $html );
		assert_contains( 'shoppers cannot see that', $html );
	}
);

test(
	'The health panel finds a wrong clock, an unsupported currency, and plain permalinks',
	static function (): void {
		place_order();
		update_option( 'permalink_structure', '' );
		update_option( 'woocommerce_tillkit_settings', array( 'test' => 'yes' ) + get_option( 'woocommerce_tillkit_settings' ) );
		$answer = array( 'time' => time() - 960, 'environment' => 'live', 'currencies' => array( 'USD' ), 'decimals' => array( 'USD' => 2 ), 'webhook' => array( 'ok' => false, 'message' => 'Nothing <b>arrived</b>.' ) ) + vectors( 'answers' )['health'];
		checkout_server_answers( 200, $answer );
		$html = health_html();
		assert_true( 1 === preg_match( '/The clocks differ by 9(59|60|61) seconds/', $html ), $html );
		assert_contains( 'does not accept XOF', $html );
		assert_contains( 'Choose “Post name”', $html );
		assert_contains( 'Nothing &lt;b&gt;arrived&lt;/b&gt;.', $html );
		assert_same( 5, substr_count( $html, '⚠' ) );
	}
);

test(
	'The health panel confirms correct decimals, and shows no amount if the answer lacks the number that is sent',
	static function (): void {
		Stubs::$decimals = 0;
		place_order();
		$health = array( 'time' => time() ) + vectors( 'answers' )['health'];
		checkout_server_answers( 200, $health );
		assert_contains( 'The shop and the payment service use the same number of decimals for XOF.', health_html() );
		unset( $health['amount']['wire_amount'] );
		checkout_server_answers( 200, $health );
		assert_not_contains( 'it must ask for', health_html() );
	}
);

test(
	'The health panel distinguishes a shop without orders from a checkout server without an answer',
	static function (): void {
		checkout_server_answers( 200, vectors( 'answers' )['health'] );
		Stubs::$decimals = 0;
		assert_contains( 'This shop has no order yet, so an example of 5 000 XOF is checked: the payment service receives the number 5000.', health_html() );
		assert_same( array( '5000', 'XOF', 'en', true, 'https://shop.example' ), array_values( json_decode( Stubs::$calls[0]['body'], true ) ) );
		Stubs::$decimals = 2;
		Stubs::$currency = 'EUR';
		health_html();
		assert_same( '19.99', json_decode( Stubs::$calls[1]['body'], true )['amount'] );
		Stubs::$checkout_server = null;
		assert_contains( 'The checkout server does not answer.', health_html() );
		checkout_server_answers( 200, new stdClass() );
		assert_contains( 'Needs attention', health_html() );
	}
);

test(
	'A preview links to the hosted page and to no other scheme',
	static function (): void {
		place_order();
		checkout_server_answers( 200, vectors( 'answers' )['preview'] );
		assert_contains( '<a href="https://checkout.example.com/cs_01" target="_blank" rel="noopener noreferrer">', health_html( 'tillkit_preview' ) );
		assert_same( 'https://pay.example/bridge/v1/preview', Stubs::$calls[0]['url'] );
		checkout_server_answers( 200, array( 'url' => 'javascript:alert(1)' ) );
		assert_not_contains( 'javascript', health_html( 'tillkit_preview' ) );
		checkout_server_refuses( 409, 'live_key', 'A preview needs a test key.' );
		assert_contains( 'A preview needs a test key.', health_html( 'tillkit_preview' ) );
	}
);

test(
	'The health panel requires the capability to manage the shop',
	static function (): void {
		Stubs::$capabilities = array( 'edit_shop_orders' );
		foreach ( array( 'tillkit_health', 'tillkit_preview' ) as $action ) {
			assert_contains( 'ended with 403', health_html( $action ) );
		}
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'A dashboard address without https or {transaction} is refused, and the previous address stays',
	static function (): void {
		$good = 'https://dash.example/t/{transaction}?tab=1#top';
		assert_same( $good, save_settings( array( 'dashboard' => " $good " ) )['dashboard'] );
		assert_same( array(), Stubs::$errors );
		foreach ( array( 'https://dash.example/t/', 'http://dash.example/{transaction}', 'https://me@dash.example/{transaction}', 'javascript:{transaction}', '//dash.example/{transaction}', 'https://dash.example/"{transaction}' ) as $count => $typed ) {
			assert_same( $good, save_settings( array( 'dashboard' => $typed ) )['dashboard'], $typed );
			assert_same( $count + 1, count( Stubs::$errors ), $typed );
		}
		assert_contains( 'must begin with https:// and contain {transaction}', Stubs::$errors[0] );
		assert_same( '', save_settings( array( 'dashboard' => '' ) )['dashboard'] );
	}
);

test(
	'The health panel leads to the operators’ pages of a checkout server that has them',
	static function (): void {
		$answer = vectors( 'answers' )['health'];
		checkout_server_answers( 200, array( 'operators_url' => null ) + $answer );
		assert_not_contains( '<a ', health_html() );
		checkout_server_answers( 200, array( 'operators_url' => 'https://pay.example/operators' ) + $answer );
		assert_contains( '<a href="https://pay.example/operators" target="_blank" rel="noopener noreferrer">Open the operators’ pages of the checkout server</a>', health_html() );
	}
);

test(
	'The settings begin with the connection and end with Enable',
	static function (): void {
		assert_same( array( 'checkout_server', 'store', 'link_secret' ), array_slice( array_keys( tillkit_form_fields() ), 0, 3 ) );
		assert_same( 'enabled', array_key_last( tillkit_form_fields() ) );
		$page = settings_page();
		assert_true( strpos( $page, 'tillkit-connection' ) < strpos( $page, 'Health' ), 'The connection is above the health panel;' );
		assert_contains( 'icons/tillkit.svg', ( new Tillkit_Gateway() )->icon );
		assert_true( is_file( __DIR__ . '/../tillkit-checkout/icons/tillkit.svg' ), 'The icon exists;' );
	}
);

test(
	'The test badge ends once the checkout server has a live key, and comes back with a test key',
	static function (): void {
		update_option( 'woocommerce_tillkit_settings', array( 'test' => 'yes' ) + get_option( 'woocommerce_tillkit_settings' ) );
		$title_after = static function ( array $sent ): string {
			place_order( array( 'title' => ( new Tillkit_Gateway() )->get_title() ) );
			tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request( $sent ) ), time() );
			return stored_order()['title'];
		};
		assert_same( 'Mobile money (test)', $title_after( array() ) );
		assert_same( 'Mobile money (test)', $title_after( array( 'environment' => 'test' ) ) );
		assert_same( 'Mobile money', $title_after( array( 'environment' => 'live' ) ) );
		assert_same( 'Mobile money', ( new Tillkit_Gateway() )->get_title() );
		place_order();
		checkout_server_answers( 200, array( 'time' => time(), 'environment' => 'test' ) + vectors( 'answers' )['health'] );
		health_html();
		assert_same( 'Mobile money (test)', ( new Tillkit_Gateway() )->get_title() );
		assert_same( null, tillkit_read_order_fields( 'mark-paid', mark_paid_request( array( 'environment' => 'other' ) ) ) );
	}
);

test(
	'A warning about decimals is shown once on the settings page, which has its own',
	static function (): void {
		$notice = static function (): string {
			return output_of( 'tillkit_show_decimals_notice' );
		};
		assert_contains( 'such a fraction cannot be paid', $notice() );
		$_GET['section'] = 'tillkit';
		assert_same( '', $notice() );
		assert_same( 1, substr_count( settings_page(), 'such a fraction cannot be paid' ) );
	}
);
