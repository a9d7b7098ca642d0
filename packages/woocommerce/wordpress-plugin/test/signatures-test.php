<?php
/** The signatures of pay links and calls. The vectors are the same cases that the checkout server's own tests follow. */

foreach ( vectors( 'pay-links' )['signed'] as $vector ) {
	test(
		"The plugin signs the pay link of the vector: {$vector['title']}",
		static function () use ( $vector ): void {
			$secret = vectors( 'pay-links' )['secret'];
			assert_same( 'https://pay.example/bridge/v1/pay?' . $vector['query'], tillkit_pay_link( 'https://pay.example', $vector['link'], $secret ) );
		}
	);
}

test(
	'The plugin makes no pay link that the checkout server would reject',
	static function (): void {
		$link = vectors( 'pay-links' )['signed'][0]['link'];
		foreach ( array( 'order' => '0', 'key' => 'a b', 'amount' => "5000\n", 'currency' => 'FCFA', 'store' => '', 'exp' => '-1' ) as $field => $invalid ) {
			assert_same( null, tillkit_pay_link( 'https://pay.example', array( $field => $invalid ) + $link, SECRET ), $field );
		}
	}
);

foreach ( vectors( 'calls' )['signed'] as $vector ) {
	test(
		"The plugin signs the call of the vector: {$vector['title']}",
		static function () use ( $vector ): void {
			$calls = vectors( 'calls' );
			assert_same( $vector['headers'], tillkit_call_headers( $vector['purpose'], $calls['store'], $calls['now'], $vector['body'], $calls['secret'] ) );
		}
	);
}

foreach ( vectors( 'calls' )['read'] as $vector ) {
	test(
		"The plugin verifies the call as {$vector['result']}: {$vector['title']}",
		static function () use ( $vector ): void {
			$calls   = vectors( 'calls' );
			$headers = array(
				'store'     => $vector['headers']['X-Tillkit-Store'],
				'time'      => $vector['headers']['X-Tillkit-Time'],
				'signature' => $vector['headers']['X-Tillkit-Signature'],
			);
			$secrets = array( $calls['secret'], $calls['previousSecret'] );
			assert_same( $vector['result'], tillkit_verify_call( $vector['purpose'], $headers, $vector['body'], $secrets, $vector['now'] ) );
		}
	);
}

test(
	'A shop without a secret accepts no signature',
	static function (): void {
		$call = array( 'store' => 'boutique', 'time' => '1764000000', 'signature' => tillkit_sign( tillkit_call_lines( 'ping', 'boutique', '1764000000', '{}' ), '' ) );
		assert_same( 'signature_invalid', tillkit_verify_call( 'ping', $call, '{}', array(), 1764000000 ) );
	}
);
