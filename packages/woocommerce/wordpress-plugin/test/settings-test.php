<?php
/** Saves the settings page as WooCommerce does, with slashes before quotes. */
function save_settings( array $typed ): array {
	$_POST = array();
	foreach ( $typed + array( 'enabled' => 'yes', 'companion' => 'https://pay.example', 'store' => 'boutique', 'link_secret' => '' ) as $key => $value ) {
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

foreach ( array( 'https://pay.example/' => 'https://pay.example', ' https://pay.example/shop// ' => 'https://pay.example/shop', 'http://localhost:8080' => 'http://localhost:8080', 'http://127.0.0.1:8080' => 'http://127.0.0.1:8080', '' => '' ) as $typed => $kept ) {
	test(
		"The companion's address \"$typed\" is kept as \"$kept\"",
		static function () use ( $typed, $kept ): void {
			same( $kept, save_settings( array( 'companion' => $typed ) )['companion'] );
			same( array(), Stubs::$mistakes );
		}
	);
}

foreach ( array( 'http://pay.example', 'pay.example', 'ftp://pay.example', 'https://', 'https://me:secret@pay.example', 'https://pay.example/?a=b', 'https://pay.example/#x', 'https://pay.example/"><script>', 'javascript:alert(1)', '//pay.example' ) as $typed ) {
	test(
		"The companion's address \"$typed\" is refused with one sentence, and the old one stays",
		static function () use ( $typed ): void {
			same( 'https://pay.example', save_settings( array( 'companion' => $typed ) )['companion'] );
			same( 1, count( Stubs::$mistakes ) );
			says( 'The companion’s address must', Stubs::$mistakes[0] );
		}
	);
}

test(
	'A store id of another form is refused, and the old one stays',
	static function (): void {
		same( 'boutique', save_settings( array( 'store' => 'bou tique' ) )['store'] );
		same( 1, count( Stubs::$mistakes ) );
		same( 'shop_2-b', save_settings( array( 'store' => ' shop_2-b ' ) )['store'] );
	}
);

test(
	'A new link secret makes the one before it the previous one; saving again changes nothing',
	static function (): void {
		$new = 'a new secret with "quotes" and 32 characters';
		save_settings( array( 'link_secret' => $new ) );
		same( array( $new, SECRET ), tillkit_link_secrets() );
		save_settings( array() );
		save_settings( array( 'link_secret' => $new ) );
		same( array( $new, SECRET ), tillkit_link_secrets() );
		save_settings( array( 'forget_previous' => '1' ) );
		same( array( $new ), tillkit_link_secrets() );
	}
);

test(
	'A link secret that is too short is refused, and the old ones stay',
	static function (): void {
		save_settings( array( 'link_secret' => str_repeat( 'x', 31 ) ) );
		same( array( SECRET, PREVIOUS ), tillkit_link_secrets() );
		same( array( 'The link secret must have 32 characters or more.' ), Stubs::$mistakes );
	}
);

test(
	'A link secret is in no page, no attribute, no error and not among the settings that WooCommerce shows',
	static function (): void {
		$new   = str_repeat( 'hidden-', 6 );
		$kept  = save_settings( array( 'link_secret' => $new ) );
		$texts = array( settings_page(), json_encode( $kept ), json_encode( tillkit_form_fields() ), json_encode( tillkit_ask( 'health', array() )->get_error_message() ) );
		foreach ( $texts as $text ) {
			says_not( $new, $text );
			says_not( SECRET, $text );
		}
		// WooCommerce's own API lists fields that have a title.
		same( false, isset( tillkit_form_fields()['link_secret']['title'] ) );
	}
);

test(
	'The settings page offers to forget a previous secret only while there is one',
	static function (): void {
		says( 'forget_previous', settings_page() );
		tillkit_change_link_secret( '', true );
		says_not( 'forget_previous', settings_page() );
		says( 'value=""', settings_page() );
	}
);

test(
	'The health panel asks with the total of the newest order, and shows what is sent and what has to come of it',
	static function (): void {
		place_order( array( 'id' => 7, 'total' => '1.00' ) );
		place_order();
		place_order( array( 'id' => 2000, 'total' => '0.00' ) );
		companion_answers( 200, array( 'time' => time() ) + vectors( 'answers' )['health'] );
		$html = health_html();
		same( array( 'amount' => '5000.00', 'currency' => 'XOF', 'language' => 'en', 'webhook' => true ), json_decode( Stubs::$calls[0]['body'], true ) );
		says( 'Order 1042: the shop asks for 5 000,00 XOF, and the payment service is sent the number 5000. Open a hosted page below: it must ask for 5 000 F CFA.', $html );
		says( 'Set the number of decimals to 0 under WooCommerce, Settings, General: for XOF the shop has 2.', $html );
		says( 'Shop and companion have the same time.', $html );
		says( 'The service accepts the key.', $html );
		says( 'marks orders paid under a lock', $html );
		says( 'A signed delivery arrived', $html );
		says( 'The companion takes XOF.', $html );
		says( 'shoppers do not see it', $html );
	}
);

test(
	'The health panel finds a wrong clock, a currency that is not taken, plain permalinks and a badge that lies',
	static function (): void {
		place_order();
		update_option( 'permalink_structure', '' );
		update_option( 'woocommerce_tillkit_settings', array( 'test' => 'yes' ) + get_option( 'woocommerce_tillkit_settings' ) );
		$answer = array( 'time' => time() - 960, 'environment' => 'live', 'currencies' => array( 'USD' ), 'decimals' => array( 'USD' => 2 ), 'webhook' => array( 'ok' => false, 'message' => 'Nothing <b>arrived</b>.' ) ) + vectors( 'answers' )['health'];
		companion_answers( 200, $answer );
		$html = health_html();
		holds( 1 === preg_match( '/The clocks differ by 9(59|60|61) seconds/', $html ), $html );
		says( 'does not take XOF', $html );
		says( 'Switch the test badge off', $html );
		says( 'Choose “Post name”', $html );
		says( 'Nothing &lt;b&gt;arrived&lt;/b&gt;.', $html );
		same( 6, substr_count( $html, '⚠' ) );
	}
);

test(
	'A shop with the decimals of its currency is told so, and an amount without the number that is sent is not shown',
	static function (): void {
		Stubs::$decimals = 0;
		place_order();
		$health = array( 'time' => time() ) + vectors( 'answers' )['health'];
		companion_answers( 200, $health );
		says( 'The shop counts XOF as exactly as the payment service does.', health_html() );
		unset( $health['amount']['wire'] );
		companion_answers( 200, $health );
		says_not( 'it must ask for', health_html() );
	}
);

test(
	'A shop without an order, and a companion that says nothing, are told apart',
	static function (): void {
		companion_answers( 200, vectors( 'answers' )['health'] );
		says( 'There is no order to compare with yet', health_html() );
		same( array( 'language', 'webhook' ), array_keys( json_decode( Stubs::$calls[0]['body'], true ) ) );
		Stubs::$companion = null;
		says( 'The companion does not answer.', health_html() );
		companion_answers( 200, new stdClass() );
		says( 'Look at it', health_html() );
	}
);

test(
	'A preview leads to the hosted page, and only there',
	static function (): void {
		place_order();
		companion_answers( 200, vectors( 'answers' )['preview'] );
		says( '<a href="https://checkout.example.com/cs_01" target="_blank" rel="noopener noreferrer">', health_html( 'tillkit_preview' ) );
		same( 'https://pay.example/woo/preview', Stubs::$calls[0]['url'] );
		companion_answers( 200, array( 'url' => 'javascript:alert(1)' ) );
		says_not( 'javascript', health_html( 'tillkit_preview' ) );
		companion_refuses( 409, 'live_key', 'A preview is opened with a test key only.' );
		says( 'A preview is opened with a test key only.', health_html( 'tillkit_preview' ) );
	}
);

test(
	'Only who manages the shop may press the buttons of the panel',
	static function (): void {
		Stubs::$capabilities = array( 'edit_shop_orders' );
		foreach ( array( 'tillkit_health', 'tillkit_preview' ) as $action ) {
			says( 'ended with 403', health_html( $action ) );
		}
		same( array(), Stubs::$calls );
	}
);
